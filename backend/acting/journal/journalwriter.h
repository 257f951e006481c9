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

/// Writes to the journal where it may wait for the disk and for other programs. Lives in the
/// journal thread.
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
    /// Empty: it is on the disk.
    void written(quint64 id, const std::optional<lk::Error>& problem);

private:
    Journal m_journal;
};

/// Has lines written to the journal by another thread, in the order in which they are given, and
/// tells when they are on the disk. Belongs to the thread of its first call, and ends there. All
/// that was given is written, also after its end, as long as the journal thread is ended by
/// endThread() after it.
class JournalWriter
{
public:
    using Handler = std::function<void(const Result<void>&)>;

    /// thread: the journal thread, running, not owned; null: that of the first call, which waits
    /// then.
    JournalWriter(const Journal& journal, QThread* thread);
    ~JournalWriter();
    JournalWriter(const JournalWriter&) = delete;
    JournalWriter& operator=(const JournalWriter&) = delete;

    /// The handler comes once, later, when it is on the disk or cannot be (FileError); not if the
    /// context is gone. What was never sent because of that is written down as such.
    void logIntent(const Receipt& receipt, const Plan& plan, const AuditContext& auditContext,
                   QObject* context, Handler handler);
    /// Intent and outcome of what is done by other means than a script.
    void logDone(const Receipt& receipt, const Plan& plan, const AuditContext& auditContext,
                 QObject* context, Handler handler);

    /// Whatever else waits for the disk, in its turn. abandoned: done after it, if it succeeded and
    /// the context is gone. The context may be null: nobody waits for it.
    void write(JournalFile::Write write, QObject* context, Handler handler,
               JournalFile::Write abandoned = {});

    /// To be read.
    const Journal& journal() const { return m_journal; }

private:
    struct Waiting
    {
        QPointer<QObject> context;
        Handler handler;
        std::function<void()> abandoned; ///< nobody took up what was written
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
