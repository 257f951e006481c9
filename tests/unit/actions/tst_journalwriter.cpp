// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/journal/journalwriter.h"
#include "backend/session/endthread.h"
#include "tests/support/testprogram.h"
#include "tests/unit/journaling.h"

#include <QSemaphore>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Lines that another thread writes: none is lost, and who waits is told once it is on the disk.
class TestJournalWriter : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_thread = std::make_unique<QThread>();
        m_thread->start();
    }
    void cleanup() { endThread(*m_thread); }

    void tellsWhenItIsOnTheDisk_data();
    void tellsWhenItIsOnTheDisk();
    void tellsWhyNot();
    void whoIsGoneIsNotTold();
    void itsEndLeavesNothingOpen_data();
    void itsEndLeavesNothingOpen();

private:
    QString path() const { return m_folder->filePath(u"j/journal.jsonl"_s); }
    /// The journal thread does nothing else until the semaphore is released.
    void hold(QObject& inThread, QSemaphore& until) const
    {
        QMetaObject::invokeMethod(
            &inThread, [&until] { until.acquire(); }, Qt::QueuedConnection);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QThread> m_thread;
    const AuditContext m_audit{u"127.0.0.1:6379/0"_s, u"why"_s, u"ops"_s, u"host"_s, {}};
};

void TestJournalWriter::tellsWhenItIsOnTheDisk_data()
{
    QTest::addColumn<bool>("threaded");
    QTest::newRow("in the journal thread") << true;
    QTest::newRow("in this one") << false;
}

void TestJournalWriter::tellsWhenItIsOnTheDisk()
{
    QFETCH(bool, threaded);
    JournalWriter writer(Journal(path()), threaded ? m_thread.get() : nullptr);
    QStringList told;
    writer.logIntent(madeReceipt("ra"), madePlan(), m_audit, this, [&](const Result<void>& result) {
        QVERIFY(result);
        QCOMPARE(QThread::currentThread(), thread());
        QVERIFY(contentsOf(path()).contains("\"ra\""));
        told << u"intent"_s;
    });
    QVERIFY(told.isEmpty()); // later
    writer.write([](Journal& journal) { return journal.logOutcome(madeReceipt("ra"), madePlan()); },
                 this,
                 [&](const Result<void>& result) {
                     QVERIFY(result);
                     told << u"outcome"_s;
                 });
    writer.logDone(madeReceipt("rb"), madePlan(), m_audit, this, [&](const Result<void>& result) {
        QVERIFY(result);
        told << u"both"_s;
    });
    QTRY_COMPARE(told, (QStringList{u"intent"_s, u"outcome"_s, u"both"_s}));
    const auto contents = writer.journal().read();
    QVERIFY(contents && contents->broken == 0);
    QCOMPARE(contents->entries.size(), 2U);
    for (const JournalEntry& entry : contents->entries)
        QCOMPARE(entry.outcome, Outcome::Succeeded);
}

void TestJournalWriter::tellsWhyNot()
{
    QVERIFY(write(m_folder->filePath(u"j"_s), "a file where the folder should be"));
    JournalWriter writer(Journal(path()), m_thread.get());
    std::optional<Error> why;
    writer.logDone(madeReceipt("ra"), madePlan(), m_audit, this, [&](const Result<void>& result) {
        QVERIFY(!result);
        why = result.error();
    });
    QTRY_VERIFY(why);
    QCOMPARE(why->code, ErrorCode::FileError);
    QVERIFY2(why->detail.contains(u"The journal cannot be written"_s), qPrintable(why->detail));
}

// Nothing was sent by who did not hear of it.
void TestJournalWriter::whoIsGoneIsNotTold()
{
    JournalWriter writer(Journal(path()), m_thread.get());
    int calls = 0;
    {
        QObject context;
        writer.logIntent(madeReceipt("ra"), madePlan(), m_audit, &context,
                         [&](const Result<void>&) { ++calls; });
    }
    bool later = false;
    writer.logDone(madeReceipt("rb"), madePlan(), m_audit, this,
                   [&](const Result<void>&) { later = true; });
    QTRY_VERIFY(later);
    QCOMPARE(calls, 0);
    QTRY_COMPARE(writer.journal().read()->entries[0].outcome, Outcome::Refused);
}

void TestJournalWriter::itsEndLeavesNothingOpen_data()
{
    tellsWhenItIsOnTheDisk_data();
}

void TestJournalWriter::itsEndLeavesNothingOpen()
{
    QFETCH(bool, threaded);
    QSemaphore until;
    QObject inThread;
    inThread.moveToThread(m_thread.get());
    hold(inThread, until);
    int calls = 0;
    {
        JournalWriter writer(Journal(path()), threaded ? m_thread.get() : nullptr);
        const auto count = [&](const Result<void>&) { ++calls; };
        writer.logDone(madeReceipt("ra"), madePlan(), m_audit, this, count);
        writer.logIntent(madeReceipt("rb"), madePlan(), m_audit, this, count);
    }
    until.release();
    endThread(*m_thread);
    QCoreApplication::processEvents();
    QCOMPARE(calls, 0);
    const auto contents = Journal(path()).read();
    QVERIFY(contents && contents->broken == 0);
    QCOMPARE(contents->entries.size(), 2U);
    QCOMPARE(contents->entries[0].outcome, Outcome::Succeeded);
    QCOMPARE(contents->entries[1].outcome, Outcome::Refused);
    QVERIFY2(contents->entries[1].text.contains(u"before it was sent"_s),
             qPrintable(contents->entries[1].text));
}

LK_TEST(TestJournalWriter);
#include "tst_journalwriter.moc"
