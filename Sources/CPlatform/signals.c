// Signals as bytes in a pipe, and the last words of a crash. Handlers call only what
// signal-safety(7) allows. Process-wide state, as signals are.

#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "state.h"

static const int watched[] = {SIGTERM, SIGHUP,  SIGINT,  SIGQUIT,
                              SIGWINCH, SIGCONT, SIGTSTP, SIGCHLD};
static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static int signal_pipe[2] = {-1, -1};

static volatile sig_atomic_t has_continued;

static void write_signal(int number) {
  int saved = errno;
  if (number == SIGCONT) has_continued = 1;
  unsigned char byte = (unsigned char)number;
  // A full pipe already wakes the reader; losing a repeat is harmless.
  ssize_t ignored = write(signal_pipe[1], &byte, 1);
  (void)ignored;
  errno = saved;
}

static void set_action(int number, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

static void watch_all(void) {
  for (size_t i = 0; i < COUNT(watched); i++) set_action(watched[i], write_signal);
}

int platform_signals_watch(void) {
  if (signal_pipe[0] < 0 && pipe2(signal_pipe, O_NONBLOCK | O_CLOEXEC) < 0) return -errno;
  watch_all();
  return signal_pipe[0];
}

void platform_signals_release(void) {
  for (size_t i = 0; i < COUNT(watched); i++) set_action(watched[i], SIG_DFL);
}

// The stop may be taken by another thread: this one could run on for a moment
// and touch the terminal. It waits for the CONT; but not for ever, because a group that
// no shell controls is not stopped at all.
static void wait_for_continue(void) {
  struct timespec moment = {0, 1000000};
  for (int i = 0; i < 100 && !has_continued; i++) nanosleep(&moment, NULL);
}

void platform_stop_self(void) {
  has_continued = 0;
  set_action(SIGTSTP, SIG_DFL);
  kill(0, SIGTSTP);
  wait_for_continue();
  set_action(SIGTSTP, write_signal);
}

void platform_stop_alone(void) {
  has_continued = 0;
  kill(getpid(), SIGSTOP);
  wait_for_continue();
}

void platform_die_by(int number) {
  set_action(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  kill(getpid(), number);
  _exit(128 + number);
}

// The crash handler's whole world, prepared while all is well.
static struct {
  volatile sig_atomic_t armed;
  int terminal;
  char reset[512];
  size_t reset_count;
  int log;
  int error;
} crash = {.log = -1, .error = -1};

// The last 64 KiB of what was written to standard error: where "Fatal error: …" is.
#define LOG_TAIL_MAX 65536

static void replay_log(void) {
  if (crash.log < 0 || crash.error < 0) return;
  static char tail[LOG_TAIL_MAX];
  off_t end = lseek(crash.log, 0, SEEK_END);
  off_t start = end > LOG_TAIL_MAX ? end - LOG_TAIL_MAX : 0;
  ssize_t count = pread(crash.log, tail, (size_t)(end - start), start);
  if (count > 0) platform_write_all(crash.error, tail, (size_t)count);
}

static void on_crash(int number) {
  if (crash.armed) {
    crash.armed = 0;
    platform_write_all(crash.terminal, crash.reset, crash.reset_count);
    if (platform_saved.is_set) tcsetattr(platform_saved.fd, TCSANOW, &platform_saved.modes);
    replay_log();
  }
  platform_die_by(number);
}

int platform_crash_arm(
  int terminal, const char *reset, size_t count, int log_fd, int stderr_fd) {
  if (count > sizeof crash.reset) return -E2BIG;
  memcpy(crash.reset, reset, count);
  crash.reset_count = count;
  crash.terminal = terminal;
  crash.log = log_fd;
  crash.error = stderr_fd;
  crash.armed = 1;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < COUNT(crashes); i++)
    if (sigaction(crashes[i], &action, NULL) < 0) return -errno;
  return 0;
}

void platform_crash_disarm(void) {
  crash.armed = 0;
  for (size_t i = 0; i < COUNT(crashes); i++) set_action(crashes[i], SIG_DFL);
}

void platform_crash_stack(void) {
  static const size_t size = 65536;
  stack_t stack = {.ss_sp = malloc(size), .ss_size = size};
  if (stack.ss_sp) sigaltstack(&stack, NULL);
}
