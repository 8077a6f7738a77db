#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* System headers may be older than the kernel, so Landlock's numbers stand here; they are the same on all processors. */
#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_add_rule 445
#define __NR_landlock_restrict_self 446
#endif

enum {
    RULESET_VERSION = 1,
    RULE_PATH_BENEATH = 1,
    RULE_NET_PORT = 2,
};

enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_REMOVE_DIR = 1 << 4,
    FS_REMOVE_FILE = 1 << 5,
    FS_MAKE_DIR = 1 << 7,
    FS_MAKE_REG = 1 << 8,
    FS_REFER = 1 << 13,
    FS_TRUNCATE = 1 << 14,
    FS_IOCTL_DEV = 1 << 15,
    NET_BIND_TCP = 1 << 0,
    NET_CONNECT_TCP = 1 << 1,
    SCOPE_ABSTRACT_UNIX_SOCKET = 1 << 0,
    SCOPE_SIGNAL = 1 << 1,
};

struct ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

struct path_rule {
    uint64_t allowed_access;
    int32_t parent_fd;
} __attribute__((packed));

struct port_rule {
    uint64_t allowed_access;
    uint64_t port;
};

/* All that a version knows of files. */
static uint64_t file_rights(int version) {
    uint64_t rights = FS_REFER - 1;
    if (version >= 2) rights |= FS_REFER;
    if (version >= 3) rights |= FS_TRUNCATE;
    if (version >= 5) rights |= FS_IOCTL_DEV;
    return rights;
}

static int outcome(long result) { return result < 0 ? -errno : (int)result; }

int daed_landlock_version(void) {
    int version = outcome(syscall(__NR_landlock_create_ruleset, NULL, 0, RULESET_VERSION));
    return version > 0 ? version : 0;
}

int daed_landlock_begin(int version, enum daed_ports ports) {
    struct ruleset ruleset = {.handled_access_fs = file_rights(version)};
    size_t size = sizeof ruleset.handled_access_fs;
    if (version >= 4) {
        ruleset.handled_access_net = NET_BIND_TCP | (ports == DAED_PORTS_ANY ? 0 : NET_CONNECT_TCP);
        size = offsetof(struct ruleset, scoped);
    }
    if (version >= 6) {
        ruleset.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
        size = sizeof ruleset;
    }
    return outcome(syscall(__NR_landlock_create_ruleset, &ruleset, size, 0));
}

int daed_landlock_allow(int rules, int version, const char *path, enum daed_access access) {
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0 : -errno;
    uint64_t rights = FS_READ_FILE | FS_READ_DIR;
    switch (access) {
    case DAED_ACCESS_READ: break;
    case DAED_ACCESS_UPDATE: rights |= FS_WRITE_FILE; break;
    case DAED_ACCESS_OWN:
        rights |= FS_WRITE_FILE | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR | FS_MAKE_REG | FS_REFER | FS_TRUNCATE;
        break;
    }
    struct stat status;
    int result = 0;
    if (fstat(file, &status) < 0) {
        result = -errno;
    } else {
        if (!S_ISDIR(status.st_mode)) rights &= FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE;
        struct path_rule rule = {.allowed_access = rights & file_rights(version), .parent_fd = file};
        result = outcome(syscall(__NR_landlock_add_rule, rules, RULE_PATH_BENEATH, &rule, 0));
    }
    close(file);
    return result;
}

int daed_landlock_allow_port(int rules, uint16_t port) {
    struct port_rule rule = {.allowed_access = NET_CONNECT_TCP, .port = port};
    return outcome(syscall(__NR_landlock_add_rule, rules, RULE_NET_PORT, &rule, 0));
}

int daed_landlock_restrict(int rules) {
    int result = outcome(syscall(__NR_landlock_restrict_self, rules, 0));
    close(rules);
    return result;
}

int daed_set_no_new_privileges(void) { return outcome(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); }

int daed_drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (syscall(SYS_capget, &header, sets) < 0) return -errno;
    uint32_t all = 0;
    for (size_t part = 0; part < _LINUX_CAPABILITY_U32S_3; part++) all |= sets[part].permitted | sets[part].inheritable;
    /* Where there is nothing to be given up the call may be forbidden, as by a unit of systemd. */
    if (all == 0) return 0;
    uint32_t kept = sets[0].permitted & (1u << CAP_DAC_OVERRIDE);
    sets[0] = (struct __user_cap_data_struct){.effective = kept, .permitted = kept};
    sets[1] = (struct __user_cap_data_struct){0};
    return outcome(syscall(SYS_capset, &header, sets));
}

/* The filter of system calls: a table, made into a program for the kernel's interpreter. What is not in it does not exist
 * for the process (ENOSYS), so that a C library that tries a newer call first goes on with an older one. */

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

static const int always[] = {
    /* Files, by descriptor. */
    __NR_read, __NR_write, __NR_readv, __NR_writev, __NR_pread64, __NR_pwrite64, __NR_preadv, __NR_pwritev, __NR_lseek,
    __NR_close, __NR_fstat, __NR_ftruncate, __NR_fallocate, __NR_fsync, __NR_fdatasync, __NR_fadvise64,
    __NR_copy_file_range, __NR_sendfile, __NR_dup, __NR_dup3, __NR_flock, __NR_fchmod, __NR_getdents64,
    __NR_fstatfs, __NR_pipe2,
    /* Files, by path: Landlock says which. */
    __NR_newfstatat, __NR_statx, __NR_faccessat, __NR_readlinkat, __NR_mkdirat, __NR_unlinkat, __NR_renameat2,
    __NR_linkat, __NR_utimensat, __NR_statfs, __NR_getcwd, __NR_umask,
    /* Memory. */
    __NR_munmap, __NR_mremap, __NR_mprotect, __NR_madvise, __NR_brk, __NR_msync, __NR_membarrier,
    /* Threads, and waiting. */
    __NR_set_robust_list, __NR_set_tid_address, __NR_futex, __NR_sched_yield, __NR_sched_getaffinity,
    __NR_sched_getparam, __NR_sched_getscheduler, __NR_gettid, __NR_exit, __NR_exit_group, __NR_epoll_create1,
    __NR_epoll_ctl, __NR_epoll_pwait, __NR_eventfd2, __NR_ppoll, __NR_pselect6, __NR_timerfd_create,
    __NR_timerfd_settime, __NR_nanosleep, __NR_clock_nanosleep, __NR_restart_syscall,
    /* Signals, but those to others. */
    __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_rt_sigtimedwait, __NR_rt_sigsuspend, __NR_sigaltstack, __NR_signalfd4,
    /* What may be known. */
    __NR_clock_gettime, __NR_clock_getres, __NR_gettimeofday, __NR_getpid, __NR_getppid, __NR_getuid, __NR_geteuid,
    __NR_getgid, __NR_getegid, __NR_getpriority, __NR_getrusage, __NR_times, __NR_uname, __NR_sysinfo, __NR_getrandom,
    __NR_getcpu,
#ifdef __NR_faccessat2
    __NR_faccessat2,
#endif
#ifdef __NR_close_range
    __NR_close_range,
#endif
#ifdef __NR_rseq
    __NR_rseq,
#endif
#ifdef __x86_64__
    /* The same by their older names, and what this processor needs. */
    __NR_stat, __NR_lstat, __NR_access, __NR_readlink, __NR_mkdir, __NR_rmdir, __NR_unlink, __NR_rename,
    __NR_link, __NR_getdents, __NR_pipe, __NR_dup2, __NR_poll, __NR_select, __NR_epoll_create, __NR_epoll_wait,
    __NR_eventfd, __NR_time, __NR_getrlimit, __NR_arch_prctl,
#endif
#ifdef __NR_renameat
    __NR_renameat,
#endif
};

/* What a process needs beside them that speaks with the Internet. */
static const int with_sockets[] = {
    __NR_connect, __NR_bind, __NR_getsockopt, __NR_getsockname, __NR_getpeername, __NR_recvfrom, __NR_recvmsg,
    __NR_recvmmsg, __NR_shutdown,
};

#define COUNT(table) (sizeof(table) / sizeof *(table))
/* The other instructions: the beginning, and some for each of the calls whose arguments count. */
#define MOST_INSTRUCTIONS (2 * (COUNT(always) + COUNT(with_sockets)) + 240)

struct program {
    struct sock_filter code[MOST_INSTRUCTIONS];
    unsigned short length;
};

static void add(struct program *program, struct sock_filter instruction) {
    if (program->length < MOST_INSTRUCTIONS) program->code[program->length++] = instruction;
}

static void load(struct program *program, size_t offset) {
    add(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

static void answer(struct program *program, uint32_t action) {
    add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/* Goes on with the next instruction where what was loaded is a value, else leaves some out. */
static void when(struct program *program, uint32_t value, unsigned char skipped) {
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped));
}

static void allow(struct program *program, const int *numbers, size_t count) {
    for (size_t index = 0; index < count; index++) {
        when(program, (uint32_t)numbers[index], 1);
        answer(program, SECCOMP_RET_ALLOW);
    }
}

/* The lower half of an argument: what is looked at are numbers of 32 bits. */
static size_t argument(int index) {
    size_t place = offsetof(struct seccomp_data, args) + 8 * (size_t)index;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    place += 4;
#endif
    return place;
}

static const uint32_t refused = SECCOMP_RET_ERRNO | EPERM;

/* Allows a call whose argument is one of some values. */
static void allow_with(struct program *program, int number, int index, const uint32_t *values, size_t count) {
    when(program, (uint32_t)number, (unsigned char)(2 * count + 2));
    load(program, argument(index));
    for (size_t at = 0; at < count; at++) {
        when(program, values[at], 1);
        answer(program, SECCOMP_RET_ALLOW);
    }
    answer(program, refused);
}

/* Allows a call unless an argument has any of some bits. */
static void allow_without(struct program *program, int number, int index, uint32_t bits) {
    when(program, (uint32_t)number, 4);
    load(program, argument(index));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0));
    answer(program, SECCOMP_RET_ALLOW);
    answer(program, refused);
}

/* Opens files, but does not empty one that is opened to be read: old versions of Landlock take that for reading. */
static void allow_opening(struct program *program, int number, int index) {
    when(program, (uint32_t)number, 5);
    load(program, argument(index));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TRUNC, 0, 2));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_ACCMODE, 1, 0));
    answer(program, refused);
    answer(program, SECCOMP_RET_ALLOW);
}

/* Memory, but none that several processes could share: it would not count against the limit. */
static void allow_mapping(struct program *program) {
    when(program, __NR_mmap, 5);
    load(program, argument(3));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 0, 2));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED, 0, 1));
    answer(program, refused);
    answer(program, SECCOMP_RET_ALLOW);
}

/* Sockets of the Internet by the two protocols that Landlock and everybody know, and the one of looking up addresses. */
static void allow_sockets(struct program *program) {
    const uint32_t families[] = {AF_INET, AF_INET6, AF_NETLINK};
    const uint32_t protocols[] = {0, IPPROTO_TCP, IPPROTO_UDP};
    when(program, __NR_socket, 2 + COUNT(families) + 1 + 2 * COUNT(protocols) + 1);
    load(program, argument(0));
    for (size_t at = 0; at < COUNT(families); at++) {
        unsigned char to_protocols = (unsigned char)(COUNT(families) - at);
        add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, families[at], to_protocols, 0));
    }
    answer(program, refused);
    load(program, argument(2));
    for (size_t at = 0; at < COUNT(protocols); at++) {
        when(program, protocols[at], 1);
        answer(program, SECCOMP_RET_ALLOW);
    }
    answer(program, refused);
}

/* Options of sockets, but the one by which the first bytes are sent without connecting first. */
static void allow_options(struct program *program) {
    when(program, __NR_setsockopt, 6);
    load(program, argument(1));
    when(program, IPPROTO_TCP, 3);
    load(program, argument(2));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 30 /* TCP_FASTOPEN_CONNECT */, 0, 1));
    answer(program, refused);
    answer(program, SECCOMP_RET_ALLOW);
}

/* Threads, and no processes of their own or in other namespaces. */
static void allow_threads(struct program *program) {
    const uint32_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID
        | CLONE_NEWNET;
    when(program, __NR_clone, 5);
    load(program, argument(0));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, namespaces, 2, 0));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1));
    answer(program, SECCOMP_RET_ALLOW);
    answer(program, refused);
}

int daed_seccomp_is_available(void) {
#ifdef OWN_ARCHITECTURE
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#else
    return 0;
#endif
}

int daed_filter_system_calls(enum daed_sockets sockets) {
#ifdef OWN_ARCHITECTURE
    struct program program = {.length = 0};
    load(&program, offsetof(struct seccomp_data, arch));
    when(&program, OWN_ARCHITECTURE, 1);
    add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0));
    answer(&program, SECCOMP_RET_KILL_PROCESS);
    load(&program, offsetof(struct seccomp_data, nr));
    allow(&program, always, COUNT(always));

    /* Each of these ends by an answer, or goes on with the call's number still loaded. */
    const uint32_t own = (uint32_t)getpid();
    allow_with(&program, __NR_kill, 0, &own, 1);
    allow_with(&program, __NR_tgkill, 0, &own, 1);
    const uint32_t nobody = 0;
    allow_with(&program, __NR_prlimit64, 0, &nobody, 1);
    /* No command that has the kernel send somebody else a signal. */
    const uint32_t commands[] = {
        F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, 5 /* F_GETLK */, 6 /* F_SETLK */, 7 /* F_SETLKW */,
        36 /* F_OFD_GETLK */, 37 /* F_OFD_SETLK */, 38 /* F_OFD_SETLKW */,
    };
    allow_with(&program, __NR_fcntl, 1, commands, COUNT(commands));
    allow_mapping(&program);
    allow_opening(&program, __NR_openat, 2);
#ifdef __NR_open
    allow_opening(&program, __NR_open, 1);
#endif
    const uint32_t settings[] = {PR_SET_NAME, PR_GET_NAME, 0x53564d41 /* PR_SET_VMA */};
    allow_with(&program, __NR_prctl, 0, settings, COUNT(settings));
    const uint32_t requests[] = {0x5401 /* TCGETS */, 0x541B /* FIONREAD */, 0x5421 /* FIONBIO */};
    allow_with(&program, __NR_ioctl, 1, requests, COUNT(requests));
    allow_threads(&program);
    switch (sockets) {
    case DAED_SOCKETS_NONE: break;
    case DAED_SOCKETS_INTERNET: {
        allow(&program, with_sockets, COUNT(with_sockets));
        allow_sockets(&program);
        allow_options(&program);
        /* By MSG_FASTOPEN a connection is opened that Landlock does not see. */
        allow_without(&program, __NR_sendto, 3, 0x20000000);
        allow_without(&program, __NR_sendmsg, 2, 0x20000000);
        allow_without(&program, __NR_sendmmsg, 3, 0x20000000);
        /* Of streams alone, which are connected: by others anything could be sent to a socket in the file system. */
        const uint32_t types[] = {
            SOCK_STREAM, SOCK_STREAM | SOCK_CLOEXEC, SOCK_STREAM | SOCK_NONBLOCK, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
        };
        allow_with(&program, __NR_socketpair, 1, types, COUNT(types));
        break;
    }
    }
    /* What programs know of: they are to be told that they may not. */
    static const int known[] = {
        __NR_socket, __NR_socketpair, __NR_execve, __NR_execveat, __NR_ptrace, __NR_mount, __NR_setpriority,
#ifdef __x86_64__
        __NR_fork, __NR_vfork,
#endif
    };
    for (size_t index = 0; index < COUNT(known); index++) {
        when(&program, (uint32_t)known[index], 1);
        answer(&program, refused);
    }
    answer(&program, SECCOMP_RET_ERRNO | ENOSYS);
    if (program.length >= MOST_INSTRUCTIONS) return -E2BIG;
    struct sock_fprog filter = {.len = program.length, .filter = program.code};
    return outcome(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter));
#else
    (void)sockets;
    return -ENOSYS;
#endif
}

int daed_try_fork(void) {
    int process = outcome(fork());
    if (process == 0) _exit(0);
    if (process > 0) waitpid(process, NULL, 0);
    return process;
}

int daed_try_exec(void) {
    char *const arguments[] = {"true", NULL};
    char *const environment[] = {NULL};
    execve("/bin/true", arguments, environment);
    return -errno;
}

int daed_try_trace(int process) {
    int result = outcome(ptrace(PTRACE_SEIZE, process, NULL, NULL));
    if (result == 0) ptrace(PTRACE_DETACH, process, NULL, NULL);
    return result;
}

int daed_try_pair(void) {
    int ends[2];
    int result = outcome(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
    if (result == 0) {
        close(ends[0]);
        close(ends[1]);
    }
    return result;
}

int daed_try_mount(void) { return outcome(mount("none", "/proc", "tmpfs", 0, NULL)); }
