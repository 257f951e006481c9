// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/journal/journalwriter.h"

#include "backend/libraries/api/action.h"

#include <QCoreApplication>
#include <QThread>

namespace lk {

void JournalFile::write(quint64 id, const Write& write)
{
    const Result<void> result = write(m_journal);
    emit written(id, result ? std::optional<Error>() : result.error());
}

JournalWriter::JournalWriter(const Journal& journal, QThread* thread)
    : m_journal(journal)
    , m_thread(thread)
{}

JournalWriter::~JournalWriter()
{
    m_answers.reset();
    for (const auto& [id, waiting] : std::exchange(m_waiting, {})) {
        if (waiting.abandoned)
            waiting.abandoned();
    }
    if (!m_file)
        return;
    if (m_file->thread() != QThread::currentThread()) {
        m_file->deleteLater(); // after all that was given before
        return;
    }
    QCoreApplication::sendPostedEvents(m_file, QEvent::MetaCall);
    delete m_file;
}

void JournalWriter::logIntent(const Receipt& receipt, const Plan& plan,
                              const AuditContext& auditContext, QObject* context, Handler handler)
{
    const auto abandoned = [this, receipt, plan] {
        Receipt never = receipt;
        never.outcome = Outcome::Refused;
        never.text = ActionText::tr("The session ended before it was sent");
        post([never, plan](Journal& journal) { return journal.logOutcome(never, plan); }, {});
    };
    post([=](Journal& journal) { return journal.logIntent(receipt, plan, auditContext); },
         {context, std::move(handler), abandoned});
}

void JournalWriter::logDone(const Receipt& receipt, const Plan& plan,
                            const AuditContext& auditContext, QObject* context, Handler handler)
{
    write(
        [=](Journal& journal) {
            const Result<void> begun = journal.logIntent(receipt, plan, auditContext);
            return begun ? journal.logOutcome(receipt, plan) : begun;
        },
        context, std::move(handler));
}

void JournalWriter::write(JournalFile::Write write, QObject* context, Handler handler,
                          JournalFile::Write abandoned)
{
    std::function<void()> undo;
    if (abandoned)
        undo = [this, abandoned = std::move(abandoned)] { post(abandoned, {}); };
    post(std::move(write), {context, std::move(handler), std::move(undo)});
}

void JournalWriter::post(JournalFile::Write write, Waiting waiting)
{
    if (!m_file) {
        m_file = new JournalFile(m_journal);
        if (m_thread)
            m_file->moveToThread(m_thread);
    }
    if (!m_answers) {
        m_answers = std::make_unique<QObject>();
        QObject::connect(
            m_file, &JournalFile::written, m_answers.get(),
            [this](quint64 id, const std::optional<Error>& problem) { onWritten(id, problem); });
    }
    const quint64 id = ++m_last;
    m_waiting.emplace(id, std::move(waiting));
    QMetaObject::invokeMethod(
        m_file, [file = m_file, id, write = std::move(write)] { file->write(id, write); },
        Qt::QueuedConnection);
}

void JournalWriter::onWritten(quint64 id, const std::optional<Error>& problem)
{
    const auto node = m_waiting.extract(id);
    if (node.empty())
        return; // in the destructor
    const Waiting& waiting = node.mapped();
    if (waiting.context)
        waiting.handler(problem ? Result<void>(tl::unexpected(*problem)) : Result<void>());
    else if (!problem && waiting.abandoned)
        waiting.abandoned();
}

} // namespace lk
