// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/platform/files.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionpolling.h"
#include "tests/server/acting.h"
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QSignalSpy>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// The journal is waited for in a thread of its own: what is read goes on, what is to be sent
/// waits.
class TestJournalThread : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init();

    void readingGoesOnWhileAnActionWaits();

private:
    QString journalFile() const { return m_folder->filePath(u"j/journal.jsonl"_s); }
    ActionFiles files() const { return {journalFile(), UndoStore(m_folder->filePath(u"undo"_s))}; }
    void planRelease(LiveSession& live);

    RedisServer m_server;
    std::unique_ptr<QTemporaryDir> m_folder;
    quint64 m_ticket = 0;
};

void TestJournalThread::init()
{
    m_server.flush();
    m_server.lines({"SET lock:a me PX 600000", "SET lock:b owner0 PX 600000"});
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(m_folder->path()).mkpath(u"j"_s));
}

void TestJournalThread::planRelease(LiveSession& live)
{
    QTRY_VERIFY(live.state("lock:a") && live.state("lock:b") && live.scanned());
    live->acting().enableWriteMode(60'000);
    QTRY_VERIFY(live->acting().isWriteModeOn());
    live->polling().setAttention({live.handle("lock:b")}, live.handle("lock:b"));
    QSignalSpy planned(&live->acting(), &SessionActing::planned);
    m_ticket = live->acting().planAction("lock.release", {{live.state("lock:a")->primitive}},
                                         ActionRequest{{{"owner", "me"}}});
    QTRY_COMPARE(planned.size(), 1);
    QCOMPARE(planned[0][0].value<PlanSet>().plans.size(), 1U);
}

void TestJournalThread::readingGoesOnWhileAnActionWaits()
{
    LiveSession live(m_server.url(), {}, {}, files());
    planRelease(live);
    QSignalSpy receipts(&live->acting(), &SessionActing::receiptReady);
    auto other = std::make_unique<FileLock>(journalFile() + u".lock"_s); // another program writes
    QCOMPARE(other->lock(0), FileLock::Outcome::Locked);
    live->acting().run(m_ticket, u"test"_s);
    for (int i = 1; i <= 3; ++i) {
        const QByteArray owner = "owner" + QByteArray::number(i);
        m_server.run({"SET", "lock:b", owner, "PX", "600000"});
        QTRY_COMPARE(live.owner("lock:b"), owner);
    }
    QCOMPARE(receipts.size(), 0);
    QCOMPARE(m_server.line("GET lock:a").text, "me"); // not before it is on the disk
    QVERIFY(!QFileInfo::exists(journalFile()));
    other.reset();
    QTRY_COMPARE(receipts.size(), 1);
    QCOMPARE(receipts[0][1].value<Receipt>().outcome, Outcome::Succeeded);
    QCOMPARE(m_server.line("EXISTS lock:a").integer, 0);
    const auto contents = Journal(journalFile()).read();
    QVERIFY(contents && contents->broken == 0);
    QCOMPARE(contents->entries.size(), 1U);
    QCOMPARE(contents->entries[0].outcome, Outcome::Succeeded);
}

LK_TEST(TestJournalThread);
#include "tst_journalthread.moc"
