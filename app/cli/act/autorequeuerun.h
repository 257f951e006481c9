// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/output.h"
#include "backend/acting/autorequeue/autorequeue.h"
#include "backend/platform/endsignals.h"

namespace lk {

/// One run of `lockkeeper act URL queue auto-requeue`: watches until its time is up, Ctrl+C, or
/// something else ends it, and prints a line for each thing that it does.
class AutoRequeueRun final : public QObject
{
    Q_OBJECT

public:
    AutoRequeueRun(ActionExecutor& executor, const Clock& clock, PrimitivePtr queue,
                   qint64 olderThanMs, const QString& reason, Output& out, QObject* parent);
    ~AutoRequeueRun() override;

    void start(qint64 forMs);

    /// Describes the run before it starts. Translated; ends with a line feed.
    static QString text(const Primitive& queue, qint64 olderThanMs, qint64 forMs,
                        const QString& endpoint);
    static constexpr qint64 presetForMs = 600'000;

signals:
    /// early: it ended before its time, and the user did not end it.
    void ended(bool early);

private:
    void onChanged(const AutoRequeueStatus& status);
    void leave();
    void say(const QString& text);
    void finish(const QString& why);

    Output& m_out;
    ActionExecutor& m_executor;
    AutoRequeue m_autoRequeue;
    QTimer m_until;
    EndSignals m_signals;
    AutoRequeueStatus m_told;
    bool m_wanted = false; ///< its end is
};

} // namespace lk
