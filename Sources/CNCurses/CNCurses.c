#include "CNCurses.h"
int CNCurses_version(void) { return 1; }
