// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/rules/notificationjson.h"
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

bool openssl(const QString& folder, const QString& arguments)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(u"openssl"_s, arguments.split(u' '));
    return process.waitForFinished() && process.exitCode() == 0;
}

} // namespace

// Alerts on their way to who is told: real servers and real programs.
class TestAlertDelivery : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_place.begin(); }
    void firedAndResolvedExactlyOnce();
    void errorsAreTriedAgainWithTheSameId();
    void aClockThatWasSetBackPutsNothingOff();
    void whatIsRefusedIsGivenUp();
    void silenceIsNotWaitedForForEver();
    void aReceiverThatIsAwayForAWeek();
    void anAnswerWithoutEndIsCutOff();
    void redirectionsAreNotFollowed();
    void tlsIsVerified();
    void secretsStayWhereTheyAre();
    void aTestReallySends();

private:
    test::AlertPlace m_place;
};

void TestAlertDelivery::firedAndResolvedExactlyOnce()
{
    HookServer server;
    QVERIFY(server.listen());
    qputenv("LK_HOOK_SECRET", "S3CRET-KEY");
    const QByteArray toml = hook(server.port(), "secret_env = 'LK_HOOK_SECRET'\n");
    {
        Teller teller(m_place, toml);
        teller.find({"mail"});
        QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(1), patience);
        const HookServer::Request& request = server.requests().front();
        QCOMPARE(eventOf(request), QByteArray("fired"));
        QVERIFY(request.line.startsWith("POST /hook?t=S3CRET-PATH HTTP/1.1"));
        QCOMPARE(request.headers.value("content-type"), QByteArray("application/json"));
        QCOMPARE(request.headers.value("lockkeeper-attempt"), QByteArray("1"));
        QCOMPARE(request.headers.value("lockkeeper-event"),
                 QJsonDocument::fromJson(request.body)[u"id"_s].toString().toLatin1());
        const qint64 seconds = request.headers.value("lockkeeper-timestamp").toLongLong();
        QCOMPARE(seconds, test::AlertPlace::startMs / 1000);
        QCOMPARE(request.headers.value("lockkeeper-signature"),
                 signatureOf(request.body, seconds, "S3CRET-KEY"));
        QTRY_COMPARE_WITH_TIMEOUT(teller.queued(), 0, patience);
        for (int i = 0; i < 20; ++i)
            teller.pass(60'000);
        QCOMPARE(server.requests().size(), size_t(1));
    }
    {
        // The same hazard after a restart is the same event.
        Teller teller(m_place, toml);
        teller.find({"mail"});
        teller.pass(60'000);
        QCOMPARE(teller.alerts->open.size(), size_t(1));
        QCOMPARE(server.requests().size(), size_t(1));
        teller.find({});
        QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(2), patience);
        QCOMPARE(eventOf(server.requests().back()), QByteArray("resolved"));
        QTRY_COMPARE_WITH_TIMEOUT(teller.alerts->past.size(), size_t(1), patience);
        QVERIFY(teller.alerts->open.empty());
    }
    qunsetenv("LK_HOOK_SECRET");
}

void TestAlertDelivery::errorsAreTriedAgainWithTheSameId()
{
    HookServer server;
    QVERIFY(server.listen());
    server.answer({"500 Oops", "503 Later"});
    Teller teller(m_place, hook(server.port()));
    teller.find({"mail"});
    QTRY_COMPARE_WITH_TIMEOUT(teller.problem(), u"HTTP 500"_s, patience);
    teller.pass(900);
    QCOMPARE(server.requests().size(), size_t(1)); // not before its time
    teller.pass(100);
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(2), patience);
    QTRY_VERIFY_WITH_TIMEOUT((teller.keeper->everySecond(), teller.problem() == u"HTTP 503"_s),
                             patience);
    teller.pass(2000);
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(3), patience);
    QTRY_VERIFY_WITH_TIMEOUT((teller.keeper->everySecond(), teller.queued() == 0), patience);
    for (int i = 1; i < 3; ++i) {
        QCOMPARE(server.requests()[size_t(i)].body, server.requests()[0].body);
        QCOMPARE(server.requests()[size_t(i)].headers.value("lockkeeper-event"),
                 server.requests()[0].headers.value("lockkeeper-event"));
        QCOMPARE(server.requests()[size_t(i)].headers.value("lockkeeper-attempt"),
                 QByteArray::number(i + 1));
    }
    teller.pass(3'600'000);
    QCOMPARE(server.requests().size(), size_t(3));
}

// A message that waits for its next attempt would wait for two hours.
void TestAlertDelivery::aClockThatWasSetBackPutsNothingOff()
{
    HookServer server;
    QVERIFY(server.listen());
    server.answer({"500 Oops"});
    Teller teller(m_place, hook(server.port()));
    teller.find({"mail"});
    QTRY_COMPARE_WITH_TIMEOUT(teller.problem(), u"HTTP 500"_s, patience);
    m_place.clock.advance(-2 * 3'600'000LL);
    QTRY_VERIFY_WITH_TIMEOUT((teller.keeper->everySecond(), server.requests().size() == 2),
                             patience);
    QCOMPARE(eventOf(server.requests().back()), QByteArray("fired"));
}

void TestAlertDelivery::whatIsRefusedIsGivenUp()
{
    HookServer server;
    QVERIFY(server.listen());
    server.answer({"400 No", "400 No", "400 No"});
    Teller teller(m_place, hook(server.port()));
    teller.find({"mail"});
    for (int attempt = 1; attempt <= 3; ++attempt) {
        QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(attempt), patience);
        QTRY_VERIFY_WITH_TIMEOUT(
            (teller.pass(1000), server.requests().size() > size_t(attempt) || teller.queued() == 0),
            patience);
    }
    QCOMPARE(server.requests().size(), size_t(3));
    // It does not delay the next message.
    teller.find({});
    QTRY_VERIFY_WITH_TIMEOUT((teller.pass(1000), server.requests().size() == 4), patience);
    QCOMPARE(eventOf(server.requests().back()), QByteArray("resolved"));
}

void TestAlertDelivery::silenceIsNotWaitedForForEver()
{
    HookServer server;
    QVERIFY(server.listen());
    server.answer({QByteArray()}); // never
    Teller teller(m_place, hook(server.port(), "timeout = '300ms'\n"));
    teller.find({"mail"});
    QTRY_VERIFY_WITH_TIMEOUT((teller.keeper->everySecond(), teller.problem() == u"timed out"_s),
                             patience);
    teller.pass(1000);
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(2), patience);
}

// Messages older than a day are dropped, so that at most the messages of a day wait.
void TestAlertDelivery::aReceiverThatIsAwayForAWeek()
{
    constexpr qint64 hour = 3'600'000;
    HookServer server;
    QVERIFY(server.listen());
    const quint16 port = server.port();
    server.close();
    Teller teller(m_place, hook(port));
    qint64 most = 0;
    for (int i = 0; i < 7 * 24; ++i) {
        teller.find({i % 2 ? "mail" : "jobs"});
        teller.pass(hour);
        // An hour is long enough for any number of refused connections.
        QVERIFY(test::waitUntil(
            [&] { return (teller.keeper->everySecond(), teller.queued() < 56); }, patience));
        most = std::max(most, teller.queued());
    }
    QVERIFY2(most >= 20, QByteArray::number(most).constData());
    // It is back: what is left comes, in its order.
    QVERIFY(server.listen(port));
    QTRY_VERIFY_WITH_TIMEOUT((teller.pass(60'000), teller.queued() == 0), patience);
    QVERIFY(server.requests().size() >= 10);
    qint64 lastMs = 0;
    for (const HookServer::Request& request : server.requests()) {
        const qint64 atMs = qint64(QJsonDocument::fromJson(request.body)[u"at_ms"_s].toDouble());
        QVERIFY(atMs >= lastMs && atMs > m_place.clock.nowMs() - 30 * hour);
        lastMs = atMs;
    }
}

// Its status says that it has come.
void TestAlertDelivery::anAnswerWithoutEndIsCutOff()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    qint64 sent = 0;
    connect(&server, &QTcpServer::newConnection, &server, [&] {
        QTcpSocket* socket = server.nextPendingConnection();
        const auto more = [socket, &sent] {
            sent += socket->bytesToWrite() < 100'000 ? socket->write(QByteArray(100'000, 'x')) : 0;
        };
        connect(socket, &QTcpSocket::readyRead, socket, [socket, more] {
            socket->readAll();
            socket->write("HTTP/1.1 200 OK\r\n\r\n");
            connect(socket, &QTcpSocket::bytesWritten, socket, more);
        });
    });
    Teller teller(m_place, hook(server.serverPort()));
    teller.find({"mail"});
    QTRY_VERIFY_WITH_TIMEOUT((teller.keeper->everySecond(), teller.queued() == 0), patience);
    QVERIFY(teller.problem().isEmpty());
    QVERIFY2(sent < 50'000'000, QByteArray::number(sent).constData());
}

void TestAlertDelivery::redirectionsAreNotFollowed()
{
    HookServer elsewhere;
    QVERIFY(elsewhere.listen());
    HookServer server;
    QVERIFY(server.listen());
    server.answer({"307 Elsewhere"});
    server.setHeaders("Location: http://localhost:" + QByteArray::number(elsewhere.port()) +
                      "/x\r\n");
    Teller teller(m_place, hook(server.port()));
    teller.find({"mail"});
    QTRY_VERIFY_WITH_TIMEOUT(
        (teller.keeper->everySecond(), teller.problem().startsWith(u"HTTP 307"_s)), patience);
    teller.pass(1000);
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(2), patience);
    QVERIFY(elsewhere.requests().empty());
}

void TestAlertDelivery::tlsIsVerified()
{
    const QString folder = m_place.folder.path();
    const QString authority = u"req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "
                              "-keyout %1.key -out %1.pem -days 2 -subj /CN=%1"_s;
    QVERIFY(openssl(folder, authority.arg(u"good"_s)));
    QVERIFY(openssl(folder, authority.arg(u"other"_s)));
    QFile names(m_place.folder.filePath(u"names"_s));
    QVERIFY(names.open(QIODevice::WriteOnly));
    names.write("subjectAltName=DNS:localhost\n");
    names.close();
    QVERIFY(openssl(folder, u"req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "
                            "server.key -out server.csr -subj /CN=localhost"_s));
    QVERIFY(openssl(folder, u"x509 -req -in server.csr -CA good.pem -CAkey good.key "
                            "-CAcreateserial -out server.pem -days 2 -extfile names"_s));
    HookServer server;
    QVERIFY(server.listenTls(m_place.folder.filePath(u"server.pem"_s),
                             m_place.folder.filePath(u"server.key"_s)));
    const auto toml = [&](const char* ca) {
        return hook(server.port(),
                    "ca_file = '" + m_place.folder.filePath(QLatin1String(ca)).toUtf8() + "'\n",
                    "https");
    };
    {
        Teller teller(m_place, toml("other.pem"));
        teller.find({"mail"});
        QTRY_VERIFY_WITH_TIMEOUT(
            (teller.keeper->everySecond(), teller.problem().startsWith(u"TLS failed"_s)), patience);
        QVERIFY(server.requests().empty());
    }
    m_place.clock.advance(60'000);
    Teller teller(m_place, toml("good.pem"));
    teller.find({"mail"});
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(1), patience);
    QCOMPARE(eventOf(server.requests().front()), QByteArray("fired"));
    QCOMPARE(server.requests().front().headers.value("lockkeeper-attempt"), QByteArray("2"));
}

void TestAlertDelivery::secretsStayWhereTheyAre()
{
    HookServer server;
    QVERIFY(server.listen());
    qputenv("LK_HOOK_SECRET", "S3CRET-KEY");
    server.answer({"500 S3CRET-ECHO"});
    {
        Teller teller(m_place, hook(server.port(), "secret_env = 'LK_HOOK_SECRET'\n"));
        teller.find({"mail"});
        QTRY_VERIFY_WITH_TIMEOUT((teller.keeper->everySecond(), !teller.problem().isEmpty()),
                                 patience);
        QVERIFY(!teller.problem().contains(u"S3CRET"_s));
    }
    qunsetenv("LK_HOOK_SECRET");
    m_place.clock.advance(60'000);
    {
        // Without it nothing is sent at all, rather than something that proves nothing.
        Teller teller(m_place, hook(server.port(), "secret_env = 'LK_HOOK_SECRET'\n"));
        QTRY_VERIFY_WITH_TIMEOUT((teller.keeper->everySecond(),
                                  teller.problem().contains(u"LK_HOOK_SECRET is not set"_s)),
                                 patience);
    }
    QCOMPARE(server.requests().size(), size_t(1));
    for (const QString& suffix : {u""_s, u"-wal"_s}) {
        QFile file(m_place.file + suffix);
        QVERIFY(!file.open(QIODevice::ReadOnly) || !file.readAll().contains("S3CRET"));
        QVERIFY(!file.exists() ||
                (file.permissions() & (QFile::ReadGroup | QFile::ReadOther)) == 0);
    }
}

void TestAlertDelivery::aTestReallySends()
{
    HookServer server;
    QVERIFY(server.listen());
    server.answer({"200 OK", "404 Nowhere"});
    Teller teller(m_place, hook(server.port()), true);
    teller.keeper->test("hook");
    QTRY_COMPARE_WITH_TIMEOUT(teller.tested, QStringList{QString()}, patience);
    QCOMPARE(eventOf(server.requests().front()), QByteArray("test"));
    teller.keeper->test("hook");
    QTRY_COMPARE_WITH_TIMEOUT(teller.tested.size(), 2, patience);
    QCOMPARE(teller.tested.back(), u"HTTP 404"_s);
    teller.keeper->test("pager");
    QCOMPARE(teller.tested.back(), u"this target is not configured here"_s);
    teller.keeper->test("desktop");
    QCOMPARE(teller.shown.size(), 1);
    teller.pass(3'600'000);
    QCOMPARE(server.requests().size(), size_t(2)); // a test is not tried again
}

LK_TEST(TestAlertDelivery);
#include "tst_alertdelivery.moc"
