#include "CSystem.h"
int CSystem_version(void) { return 1; }
