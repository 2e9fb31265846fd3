#ifndef CSystem_H
#define CSystem_H
int CSystem_version(void);
#endif
