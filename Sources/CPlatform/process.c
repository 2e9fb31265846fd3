// Children: an editor on our terminal, and for tests a program on a terminal of its own.

#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int platform_spawn(const char *const *argv, int in, int out, int err) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, in, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_adddup2(&actions, err, 2);
  // Handlers do not survive exec, but ignored signals and the mask do.
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t pid;
  int failed = posix_spawnp(
    &pid, argv[0], &actions, &attributes, (char *const *)argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return failed ? -failed : pid;
}

static int status_number(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int platform_wait(int pid) {
  int status;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return -errno;
  return status_number(status);
}

int platform_wait_now(int pid) {
  int status;
  pid_t done = waitpid(pid, &status, WNOHANG);
  return done == pid ? status_number(status) : -1;
}

int platform_pty_spawn(
  const char *const *argv, const char *const *environment, const char *folder, int columns,
  int rows, int *control) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  int leader, follower;
  if (openpty(&leader, &follower, NULL, NULL, &size) < 0) return -errno;
  fcntl(leader, F_SETFD, FD_CLOEXEC);
  pid_t pid = fork();
  if (pid < 0) {
    int failed = errno;
    close(leader);
    close(follower);
    return -failed;
  }
  if (pid == 0) {
    setsid();
    ioctl(follower, TIOCSCTTY, 0);
    dup2(follower, 0);
    dup2(follower, 1);
    dup2(follower, 2);
    closefrom(3);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (folder && chdir(folder) < 0) _exit(126);
    execvpe(argv[0], (char *const *)argv, (char *const *)environment);
    _exit(127);
  }
  close(follower);
  fcntl(leader, F_SETFL, O_NONBLOCK);
  *control = leader;
  return pid;
}

int platform_pty_resize(int control, int columns, int rows) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  return ioctl(control, TIOCSWINSZ, &size) < 0 ? -errno : 0;
}

int platform_send_signal(int pid, int number) { return kill(pid, number) < 0 ? -errno : 0; }
