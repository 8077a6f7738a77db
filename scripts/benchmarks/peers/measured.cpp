// measured SECONDS OUTPUT MEGABYTES COMMAND…: runs the command, its output to OUTPUT, and prints one line of JSON about it.
// A small program of its own, since a child's peak of memory begins at what its parent had.
//
// A virtual machine gives memory that is free back to its host, and whoever touches it next pays for fetching it: up to
// twice what reading a document costs, by when others last ran. So before the command a child touches so many MEGABYTES by
// large pages, and some by small ones, and ends: the command finds memory that the machine has. With 0 nothing is touched.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
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

// Bytes touched page by page, which the system finds in other places than large pages.
static const size_t by_pages = size_t(512) << 20;

static void touch(size_t bytes, bool is_large) {
    size_t page = sysconf(_SC_PAGESIZE);
    bytes = std::min(bytes, sysconf(_SC_AVPHYS_PAGES) * page / 4);
    void *room = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return;
    if (is_large) madvise(room, bytes, MADV_HUGEPAGE);
    for (size_t at = 0; at < bytes; at += page) static_cast<volatile char *>(room)[at] = 1;
}

static void touch_memory(size_t by_large_pages) {
    pid_t toucher = fork();
    if (toucher < 0) return;
    if (toucher == 0) {
        touch(by_large_pages, true);
        touch(by_pages, false);
        _exit(0);
    }
    while (waitpid(toucher, nullptr, 0) < 0 && errno == EINTR) {}
}

int main(int count, char **arguments) {
    if (count < 5) return 64;
    char *end = nullptr;
    const unsigned long megabytes = std::strtoul(arguments[3], &end, 10);
    if (end == arguments[3] || *end != 0 || megabytes >> 24 != 0) return 64;
    if (megabytes > 0) touch_memory(size_t(megabytes) << 20);
    double start = now();
    child = fork();
    if (child < 0) return 71;
    if (child == 0) {
        setpgid(0, 0);
        int input = open("/dev/null", O_RDONLY), output = open(arguments[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
        dup2(input, 0);
        dup2(output, 1);
        dup2(output, 2);
        execvp(arguments[4], arguments + 4);
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
