// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/platform/children.h"

#include <cerrno>
#include <csignal>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#ifdef Q_OS_LINUX
#include <sys/prctl.h>
#endif

namespace lk {

namespace {

// Runs in the child. The parent may have ended before: then nothing is left to send the signal.
void endWithParent([[maybe_unused]] int signal, [[maybe_unused]] pid_t parent)
{
#ifdef Q_OS_LINUX
    ::prctl(PR_SET_PDEATHSIG, signal);
    if (::getppid() != parent)
        ::_exit(1);
#endif
}

} // namespace

void endWithParent(QProcess& child)
{
    child.setChildProcessModifier([parent = ::getpid()] { endWithParent(SIGKILL, parent); });
}

void startInOwnGroup(QProcess& child)
{
    child.setChildProcessModifier([] { ::setpgid(0, 0); });
}

void killGroup(const QProcess& child)
{
    if (const qint64 pid = child.processId(); pid > 1)
        ::kill(-pid_t(pid), SIGKILL);
}

Result<ChildSocket> ChildSocket::forChild(QProcess& child)
{
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return failure(ErrorCode::Network, qt_error_string(errno));
    // Without a terminal nobody is asked for a password there, and Ctrl+C does not reach the child.
    child.setChildProcessModifier([end = ends[1], parent = ::getpid()] {
        ::dup2(end, STDIN_FILENO);
        ::dup2(end, STDOUT_FILENO);
        ::setsid();
        endWithParent(SIGTERM, parent);
    });
    return ChildSocket(ends[0], ends[1]);
}

ChildSocket::ChildSocket(ChildSocket&& other) noexcept
    : m_own(std::exchange(other.m_own, -1))
    , m_ofChild(std::exchange(other.m_ofChild, -1))
{}

ChildSocket::~ChildSocket()
{
    for (const int end : {m_own, m_ofChild}) {
        if (end >= 0)
            ::close(end);
    }
}

int ChildSocket::take()
{
    ::close(std::exchange(m_ofChild, -1));
    return std::exchange(m_own, -1);
}

} // namespace lk
