// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/alerts/alertteller.h"
#include "tests/support/hookserver.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

using namespace lk;
using namespace Qt::StringLiterals;
using test::eventOf;
using test::hook;
using test::HookServer;
using test::Teller;

namespace {

constexpr int patience = 30'000; // milliseconds, on a machine that has much to do

} // namespace

// Commands that are run for alerts, and how often one is tried: also after a crash.
class TestAlertAttempts : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_place.begin(); }
    void commands();
    void aCommandEndsInTime();
    void aCommandThatSaysTooMuchIsNotKept();
    void aCommandIsNotRunTwiceAfterACrash();
    void aWebhookIsSentAgainAfterACrash();
    void aWebhookForOnceIsNot();
    void whatWasNotAnsweredIsNotSentTwiceForOnce();

private:
    test::AlertPlace m_place;
};

void TestAlertAttempts::commands()
{
    const QString out = m_place.folder.filePath(u"told"_s);
    const QByteArray toml =
        "[[alert]]\nwhen = 'queue-stuck'\nnotify = ['page']\n[notify.page]\n"
        "command = ['/bin/sh', '-c', 'cat >> \"$1\"; env > \"$1.env\"; test -e \"$1.ok\" || { echo "
        "no pager >&2; touch \"$1.ok\"; exit 3; }', 'sh', '" +
        out.toUtf8() + "']\n[notify.other]\nwebhook = 'https://h/'\nsecret_env = 'LK_OTHER'\n";
    qputenv("LK_OTHER", "S3CRET");
    qputenv("LOCKKEEPER_PASSWORD", "S3CRET");
    Teller teller(m_place, toml);
    teller.find({"mail"});
    QTRY_VERIFY_WITH_TIMEOUT(
        (teller.keeper->everySecond(), teller.problem() == u"exit code 3: no pager"_s), patience);
    teller.pass(1000);
    QTRY_VERIFY_WITH_TIMEOUT((teller.keeper->everySecond(), teller.queued() == 0), patience);
    QFile file(out);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArrayList lines = file.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines[0], lines[1]);
    QCOMPARE(QJsonDocument::fromJson(lines[0])[u"alerts"_s][0][u"name"_s].toString(), u"mail"_s);
    QFile environment(out + u".env"_s);
    QVERIFY(environment.open(QIODevice::ReadOnly));
    const QByteArray seen = environment.readAll();
    QVERIFY(seen.contains("LOCKKEEPER_EVENT="));
    QVERIFY(!seen.contains("S3CRET"));
    qunsetenv("LK_OTHER");
    qunsetenv("LOCKKEEPER_PASSWORD");
}

void TestAlertAttempts::aCommandEndsInTime()
{
    const QString pidFile = m_place.folder.filePath(u"child"_s);
    Teller teller(m_place,
                  "[[alert]]\nwhen = 'queue-stuck'\nnotify = ['page']\n[notify.page]\n"
                  "timeout = '1s'\ncommand = ['/bin/sh', '-c', 'sleep 600 & echo $! > \"$1\"; "
                  "wait', 'sh', '" +
                      pidFile.toUtf8() + "']\n");
    teller.find({"mail"});
    QTRY_VERIFY_WITH_TIMEOUT(
        (teller.keeper->everySecond(), teller.problem().startsWith(u"timed out"_s)), patience);
    QFile file(pidFile);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString stat = u"/proc/%1/stat"_s.arg(file.readAll().trimmed().toLongLong());
    const auto runs = [&] {
        QFile process(stat);
        return process.open(QIODevice::ReadOnly) && !process.readAll().contains(") Z ");
    };
    QTRY_VERIFY_WITH_TIMEOUT(!runs(), patience);
}

void TestAlertAttempts::aCommandThatSaysTooMuchIsNotKept()
{
    const auto residentBytes = [] {
        QFile file(u"/proc/self/statm"_s);
        const bool opened = file.open(QIODevice::ReadOnly);
        return opened ? file.readAll().split(' ').value(1).toLongLong() * 4096 : 0;
    };
    Teller teller(m_place, "[[alert]]\nwhen = 'queue-stuck'\nnotify = ['page']\n[notify.page]\n"
                           "timeout = '60s'\ncommand = ['/bin/sh', '-c', 'echo no pager >&2; "
                           "head -c 150000000 /dev/zero >&2; exit 3']\n");
    [[maybe_unused]] const qint64 before = residentBytes();
    qint64 most = 0;
    teller.find({"mail"});
    QTRY_VERIFY_WITH_TIMEOUT((most = std::max(most, residentBytes()), teller.keeper->everySecond(),
                              teller.problem() == u"exit code 3: no pager"_s),
                             2 * patience);
#ifndef __SANITIZE_ADDRESS__ // which keeps what was freed for a while
    QVERIFY2(most - before < 50'000'000, QByteArray::number(most - before).constData());
#endif
}

// The program dies while the command runs: it is unknown whether the pager has rung.
void TestAlertAttempts::aCommandIsNotRunTwiceAfterACrash()
{
    const QString runs = m_place.folder.filePath(u"runs"_s);
    const QByteArray toml = "[[alert]]\nwhen = 'queue-stuck'\nnotify = ['page']\n[notify.page]\n"
                            "timeout = '10s'\ncommand = ['/bin/sh', '-c', 'echo x >> \"$1\"; exec "
                            "sleep 600', 'sh', '" +
                            runs.toUtf8() + "']\n";
    const auto ran = [&] { return QFileInfo(runs).size() / 2; };
    {
        Teller teller(m_place, toml);
        teller.find({"mail"});
        QTRY_COMPARE_WITH_TIMEOUT(ran(), 1, patience);
    }
    m_place.clock.advance(3'600'000); // its claim is over
    Teller teller(m_place, toml);
    teller.find({"mail"});
    teller.pass(1000);
    QVERIFY2(teller.problem().contains(u"may have been delivered"_s), qPrintable(teller.problem()));
    QCOMPARE(teller.queued(), 0);
    QCOMPARE(ran(), 1);
    // That it is over is told all the same.
    teller.find({});
    QTRY_COMPARE_WITH_TIMEOUT(ran(), 2, patience);
}

// Its receiver knows by the id that it has had it.
void TestAlertAttempts::aWebhookIsSentAgainAfterACrash()
{
    HookServer server;
    QVERIFY(server.listen());
    server.answer({QByteArray()}); // it has it, and the program dies before it hears of that
    {
        Teller teller(m_place, hook(server.port()));
        teller.find({"mail"});
        QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(1), patience);
    }
    m_place.clock.advance(3'600'000);
    Teller teller(m_place, hook(server.port()));
    teller.find({"mail"});
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(2), patience);
    QCOMPARE(server.requests()[1].headers.value("lockkeeper-event"),
             server.requests()[0].headers.value("lockkeeper-event"));
    QCOMPARE(server.requests()[1].body, server.requests()[0].body);
    QCOMPARE(server.requests()[1].headers.value("lockkeeper-attempt"), QByteArray("2"));
}

// Its receiver would page twice.
void TestAlertAttempts::aWebhookForOnceIsNot()
{
    HookServer server;
    QVERIFY(server.listen());
    server.answer({QByteArray()});
    const QByteArray toml = hook(server.port(), "once = true\n");
    {
        Teller teller(m_place, toml);
        teller.find({"mail"});
        QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(1), patience);
    }
    m_place.clock.advance(3'600'000);
    Teller teller(m_place, toml);
    teller.find({"mail"});
    teller.pass(1000);
    QVERIFY2(teller.problem().contains(u"may have been delivered"_s), qPrintable(teller.problem()));
    QCOMPARE(teller.queued(), 0);
    for (int i = 0; i < 20; ++i)
        teller.pass(60'000);
    QCOMPARE(server.requests().size(), size_t(1));
    // That it is over is told all the same, and an answer is an answer: it is tried again.
    server.answer({"503 Later"});
    teller.find({});
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(2), patience);
    QTRY_VERIFY_WITH_TIMEOUT((teller.pass(1000), server.requests().size() == 3), patience);
    QCOMPARE(eventOf(server.requests()[2]), QByteArray("resolved"));
}

// A refused connection is retried. A server that has the request and never answers gets it once.
void TestAlertAttempts::whatWasNotAnsweredIsNotSentTwiceForOnce()
{
    HookServer server;
    QVERIFY(server.listen());
    const quint16 port = server.port();
    const QByteArray toml = hook(port, "once = true\ntimeout = '1s'\n");
    server.close();
    Teller teller(m_place, toml);
    teller.find({"mail"});
    QTRY_COMPARE_WITH_TIMEOUT(teller.problem(), u"connection refused"_s, patience);
    QCOMPARE(teller.queued(), 1); // that did not arrive for certain
    QVERIFY(server.listen(port));
    server.answer({QByteArray()});
    teller.pass(2000);
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(1), patience);
    QTRY_COMPARE_WITH_TIMEOUT(teller.queued(), 0, patience);
    QCOMPARE(teller.problem(), u"timed out: it may have been delivered, and is not sent again"_s);
    for (int i = 0; i < 20; ++i)
        teller.pass(60'000);
    QCOMPARE(server.requests().size(), size_t(1));
}

LK_TEST(TestAlertAttempts);
#include "tst_alertattempts.moc"
