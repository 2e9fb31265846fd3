// What the terminal's calls and the crash handler share. Not for Swift.
#ifndef SKYROS_PLATFORM_STATE_H
#define SKYROS_PLATFORM_STATE_H

#include <termios.h>

struct platform_saved_terminal {
  struct termios modes;
  int fd;
  volatile int is_set;
};

extern struct platform_saved_terminal platform_saved;

#endif
