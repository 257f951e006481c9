// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/faultproxy.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>

using namespace lk;
using namespace Qt::StringLiterals;
using test::FaultProxy;
using test::Program;

/// An outcome that is not known: the command looks once, by itself, when nothing can come any more.
class TestOutcome : public QObject
{
    Q_OBJECT

private:
    test::RedisServer m_server;
    // The script leaves and gets lost on the way.
    void act(Program& program, const QString& line, bool serverGoesOn = true);

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init()
    {
        m_server.flush();
        m_server.lines({"SET lock:a w1 PX 600000", "RPUSH jobs r", "RPUSH jobs:processing c b a"});
    }
    void whatIsThereIsTold_data();
    void whatIsThereIsTold();
    void inJsonToo();
    void notBeforeTheDeadline();
    void aServerThatIsGone();
};

void TestOutcome::act(Program& program, const QString& line, bool serverGoesOn)
{
    FaultProxy proxy(m_server.socketPath());
    proxy.holdFrom("EVALSHA");
    const QStringList words{u"act"_s, u"redis://127.0.0.1:%1"_s.arg(proxy.url().port)};
    QVERIFY(program.start(words + line.split(u' ')));
    QTRY_VERIFY_WITH_TIMEOUT(proxy.isHolding(), 20'000);
    proxy.dropHeld();
    proxy.heal();
    proxy.cutNow();
    if (!serverGoesOn)
        proxy.stall();
    QVERIFY(program.waitForEnd());
}

void TestOutcome::whatIsThereIsTold_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QByteArray>("seen");
    QTest::newRow("a lock") << u"lock release lock:a --owner w1 --yes"_s
                            << QByteArray("lock:a is still held by w1, TTL 9 m");
    QTest::newRow("a job") << u"queue requeue jobs --index 1 --yes"_s
                           << QByteArray("the job is in jobs:processing; the job is not in jobs");
    QTest::newRow("jobs") << u"queue requeue jobs --all --yes"_s
                          << QByteArray(
                                 "3 of 3 jobs are in jobs:processing; 0 of 3 jobs are in jobs");
    QTest::newRow("a new job") << u"queue push jobs --payload x --yes"_s
                               << QByteArray("the job is not in jobs");
    QTest::newRow("a key") << u"key ttl lock:a --ttl 1m --yes"_s
                           << QByteArray("lock:a is held by w1, TTL 9 m");
}

void TestOutcome::whatIsThereIsTold()
{
    QFETCH(QString, line);
    QFETCH(QByteArray, seen);
    Program program;
    act(program, line);
    QCOMPARE(program.exitCode(), 1);
    QVERIFY2(program.out().startsWith("Outcome unknown: "), program.out().constData());
    QVERIFY2(program.out().contains("now:            " + seen), program.out().constData());
    QVERIFY(program.out().contains("this is the state as read now"));
    QVERIFY(program.out().contains("lockkeeper snapshot URL"));
    QCOMPARE(m_server.line("LLEN jobs:processing").integer, 3); // it only read
    QCOMPARE(m_server.line("GET lock:a").text, QByteArray("w1"));
}

void TestOutcome::inJsonToo()
{
    Program program;
    act(program, u"lock release lock:a --owner w1 --yes --json"_s);
    QCOMPARE(program.exitCode(), 1);
    const QJsonObject receipt = QJsonDocument::fromJson(program.out()).object();
    QCOMPARE(receipt["outcome"_L1].toString(), u"unknown"_s);
    QCOMPARE(receipt["name"_L1].toString(), u"lock:a"_s);
    const QJsonObject check = receipt["check"_L1].toObject();
    QVERIFY(check["read"_L1].toBool());
    QVERIFY2(check["now"_L1].toString().contains(u"still held by w1"_s), program.out().constData());
    QCOMPARE(check["command"_L1].toString(), u"lockkeeper snapshot URL"_s);

    Program done;
    QVERIFY(done.run({u"act"_s, m_server.urlText(), u"lock"_s, u"release"_s, u"lock:a"_s,
                      u"--owner"_s, u"w1"_s, u"--yes"_s, u"--json"_s}));
    QCOMPARE(done.exitCode(), 0);
    const QJsonObject plain = QJsonDocument::fromJson(done.out()).object();
    QCOMPARE(plain["outcome"_L1].toString(), u"done"_s);
    QVERIFY(!plain.contains("check"_L1)); // nothing to look after
}

// Four seconds by the server's clock is how long the script may begin to write.
void TestOutcome::notBeforeTheDeadline()
{
    FaultProxy proxy(m_server.socketPath());
    proxy.holdFrom("EVALSHA");
    QElapsedTimer since;
    since.start();
    Program program;
    QVERIFY(program.start({u"act"_s, u"redis://127.0.0.1:%1"_s.arg(proxy.url().port), u"lock"_s,
                           u"release"_s, u"lock:a"_s, u"--owner"_s, u"w1"_s, u"--yes"_s}));
    QTRY_VERIFY_WITH_TIMEOUT(proxy.isHolding(), 20'000);
    const int before = proxy.connections();
    proxy.dropHeld();
    proxy.heal();
    proxy.cutNow();
    QTRY_VERIFY_WITH_TIMEOUT(proxy.connections() > before, 20'000);
    QVERIFY2(since.elapsed() >= 4000, QByteArray::number(since.elapsed()).constData());
    QVERIFY(program.waitForEnd());
    QCOMPARE(proxy.connections(), before + 1);
}

void TestOutcome::aServerThatIsGone()
{
    Program program;
    act(program, u"lock release lock:a --owner w1 --yes"_s, false);
    QCOMPARE(program.exitCode(), 1);
    QVERIFY2(program.out().contains("now:            could not be read: "),
             program.out().constData());
    QVERIFY(program.out().contains("lockkeeper snapshot URL prints the state"));
}

LK_TEST(TestOutcome);
#include "tst_outcome.moc"
