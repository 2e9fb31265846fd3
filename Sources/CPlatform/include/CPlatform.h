#ifndef CPlatform_H
#define CPlatform_H
int CPlatform_version(void);
#endif
