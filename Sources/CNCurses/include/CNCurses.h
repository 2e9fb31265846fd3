#ifndef CNCurses_H
#define CNCurses_H
int CNCurses_version(void);
#endif
