// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QProcess>

namespace lk {

// Processes that this one starts: what QProcess does not offer. POSIX; that a child ends with its
// parent is Linux's alone, elsewhere it goes on if this program is killed.

/// Ends the child by force if this process ends, however that ends. Before it is started.
void endWithParent(QProcess& child);

/// Makes the child the head of a group of its own, for killGroup(). Before it is started.
void startInOwnGroup(QProcess& child);
/// Ends a child of startInOwnGroup() by force, with all that it has started.
void killGroup(const QProcess& child);

/// Makes a pair of connected sockets and gives the child one for its standard input and output; it
/// has no terminal, and is asked to end if this process ends. Before it is started.
class ChildSocket
{
public:
    /// Errors: Network.
    static Result<ChildSocket> forChild(QProcess& child);
    ChildSocket(ChildSocket&& other) noexcept;
    ~ChildSocket();

    /// Once the child is started: returns this side, which the caller owns, and closes the other.
    int take();

private:
    ChildSocket(int own, int ofChild)
        : m_own(own)
        , m_ofChild(ofChild)
    {}

    int m_own = -1;
    int m_ofChild = -1;
};

} // namespace lk
