// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace lk {

/// Signals that end a program, with POSIX's numbers, which exit codes tell.
enum class EndSignal : int { Hangup = 1, Interrupt = 2, Terminate = 15 };

/// SIGINT, SIGTERM and SIGHUP as a signal of the event loop, so that what was begun is ended in
/// order. The second of a kind ends the program at once. One at a time in a process; lives in the
/// main thread.
class EndSignals final : public QObject
{
    Q_OBJECT

public:
    /// What SIGHUP is for. Of a service it says that its configuration is another, as often as it
    /// comes.
    enum class Hangup : bool { Ends, Reloads };

    explicit EndSignals(QObject* parent = nullptr)
        : EndSignals(Hangup::Ends, parent)
    {}
    explicit EndSignals(Hangup hangup, QObject* parent = nullptr);
    /// They end the program again as they do by themselves.
    ~EndSignals() override;

signals:
    void received(EndSignal signal);
};

} // namespace lk
