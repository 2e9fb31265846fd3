#include "CPlatform.h"
int CPlatform_version(void) { return 1; }
