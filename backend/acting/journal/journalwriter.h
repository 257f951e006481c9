// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/journal.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <map>
#include <memory>
#include <optional>

class QThread;

namespace lk {

/// Writes to the journal in the journal thread, where it may wait for the disk and for other
/// programs. Lives in the journal thread.
class JournalFile final : public QObject
{
    Q_OBJECT

public:
    using Write = std::function<Result<void>(Journal&)>;

    explicit JournalFile(Journal journal)
        : m_journal(std::move(journal))
    {}
    void write(quint64 id, const Write& write);

signals:
    /// problem: empty if the write is on disk.
    void written(quint64 id, const std::optional<lk::Error>& problem);

private:
    Journal m_journal;
};

/// Lets another thread write lines to the journal, in the order of the calls, and reports when they
/// are on disk. Belongs to the thread of its first call, and is destroyed there. All lines are
/// written, even after its destruction, provided that the journal thread is ended by endThread()
/// after it.
class JournalWriter
{
public:
    using Handler = std::function<void(const Result<void>&)>;

    /// thread: the running journal thread, not owned. If it is null, writes in the thread of the
    /// first call, which then blocks.
    JournalWriter(const Journal& journal, QThread* thread);
    ~JournalWriter();
    JournalWriter(const JournalWriter&) = delete;
    JournalWriter& operator=(const JournalWriter&) = delete;

    /// The handler is called once, later, when the line is on disk or writing failed (FileError);
    /// not if the context is gone. If it is gone, the journal says that the step was never sent.
    void logIntent(const Receipt& receipt, const Plan& plan, const AuditContext& auditContext,
                   QObject* context, Handler handler);
    /// Writes intent and outcome of a step that is not done by a script.
    void logDone(const Receipt& receipt, const Plan& plan, const AuditContext& auditContext,
                 QObject* context, Handler handler);

    /// Runs any other disk operation in its turn. abandoned: runs after it, if it succeeded and the
    /// context is gone. The context may be null, if no caller waits for it.
    void write(JournalFile::Write write, QObject* context, Handler handler,
               JournalFile::Write abandoned = {});

    /// The journal, for reading.
    const Journal& journal() const { return m_journal; }

private:
    struct Waiting
    {
        QPointer<QObject> context;
        Handler handler;
        std::function<void()> abandoned; ///< called if the context is gone
    };
    void post(JournalFile::Write write, Waiting waiting);
    void onWritten(quint64 id, const std::optional<Error>& problem);

    Journal m_journal;
    QThread* m_thread;
    JournalFile* m_file = nullptr;      ///< in the journal thread; null before the first line
    std::unique_ptr<QObject> m_answers; ///< receives in the thread of the first call
    std::map<quint64, Waiting> m_waiting;
    quint64 m_last = 0;
};

} // namespace lk
