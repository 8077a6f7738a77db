// measured SECONDS OUTPUT COMMAND…: runs the command, its output to OUTPUT, and prints one line of JSON about it.
// A small program of its own, since a child's peak of memory begins at what its parent had.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;
static void stop(int) { kill(-child, SIGKILL); }
static double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}
static double seconds(timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

int main(int count, char **arguments) {
    if (count < 4) return 64;
    double start = now();
    child = fork();
    if (child < 0) return 71;
    if (child == 0) {
        setpgid(0, 0);
        int input = open("/dev/null", O_RDONLY), output = open(arguments[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
        dup2(input, 0);
        dup2(output, 1);
        dup2(output, 2);
        execvp(arguments[3], arguments + 3);
        _exit(127);
    }
    setpgid(child, child);
    signal(SIGALRM, stop);
    alarm(std::atoi(arguments[1]));
    int status = 0;
    rusage usage;
    while (wait4(child, &status, 0, &usage) < 0) {}
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    std::printf("{\"cpu\": %.6f, \"wall\": %.6f, \"peak\": %lld, \"code\": %d}\n",
                seconds(usage.ru_utime) + seconds(usage.ru_stime), now() - start, usage.ru_maxrss * 1024LL, code);
}
