// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/alertkeeper.h"
#include "backend/alerts/delivery/notificationjson.h"
#include "backend/alerts/store/alertdatabase.h"
#include "backend/config/config.h"
#include "tests/support/hookserver.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace lk;
using namespace Qt::StringLiterals;
using test::HookServer;

// Alerts on their way to who is told: real servers, real programs, a real file.
class TestAlertDelivery : public QObject
{
    Q_OBJECT

private:
    static constexpr qint64 start = 1'700'000'000'000;
    static constexpr int patience = 30'000;

    // One program's part.
    struct Teller
    {
        Teller(TestAlertDelivery& test, const QByteArray& toml, bool desktop = false)
            : clock(&test.m_clock)
        {
            const Result<Config> config =
                parseConfig("[alerts]\nbuilt_in = false\n" + toml, u"t"_s);
            if (!config)
                qFatal("%s", qPrintable(config.error().detail));
            AlertKeeper::Setup setup;
            setup.file = test.m_file;
            setup.deployment = u"10.0.0.1:6379/0"_s;
            setup.title = u"orders-eu"_s;
            setup.desktop = desktop;
            setup.settings = config->alerts;
            setup.clock = clock;
            keeper = std::make_unique<AlertKeeper>(std::move(setup));
            QObject::connect(keeper.get(), &AlertKeeper::changed, keeper.get(),
                             [this](const AlertsPtr& now) { alerts = now; });
            QObject::connect(keeper.get(), &AlertKeeper::desktopWanted, keeper.get(),
                             [this](const QByteArray& json) { shown << json; });
            QObject::connect(
                keeper.get(), &AlertKeeper::tested, keeper.get(),
                [this](const QByteArray&, const QString& problem) { tested << problem; });
            keeper->start();
        }
        void find(const QByteArrayList& names) const
        {
            auto all = std::make_shared<LiveFindings>();
            for (const QByteArray& name : names) {
                LiveFinding live;
                live.finding = {"queue-stuck", Finding::Severity::Error, name, name, u"stuck"_s};
                live.finding.kind = Kind::Queue;
                all->rows.push_back(std::make_shared<LiveFinding>(live));
            }
            keeper->setFindings(all);
            keeper->setScanned();
            keeper->everySecond();
        }
        QString problem() const
        {
            return alerts && !alerts->targets.empty() ? alerts->targets.front().problem : QString();
        }
        qint64 queued() const
        {
            return alerts && !alerts->targets.empty() ? alerts->targets.front().queued : -1;
        }

        ManualClock* clock;
        AlertsPtr alerts;
        QByteArrayList shown;
        QStringList tested;
        std::unique_ptr<AlertKeeper> keeper;
    };

    static QByteArray hook(quint16 port, const QByteArray& more = {},
                           const QByteArray& scheme = "http")
    {
        return "[[alert]]\nwhen = 'queue-stuck'\nnotify = ['hook']\n[notify.hook]\nwebhook = '" +
               scheme + "://localhost:" + QByteArray::number(port) + "/hook?t=S3CRET-PATH'\n" +
               more;
    }
    static QByteArray event(const HookServer::Request& request)
    {
        return QJsonDocument::fromJson(request.body)[u"event"_s].toString().toLatin1();
    }
    static bool openssl(const QString& folder, const QString& arguments)
    {
        QProcess process;
        process.setWorkingDirectory(folder);
        process.start(u"openssl"_s, arguments.split(u' '));
        return process.waitForFinished() && process.exitCode() == 0;
    }
    // A second as the timer would have it.
    void pass(Teller& teller, qint64 ms)
    {
        m_clock.advance(ms);
        teller.keeper->everySecond();
    }

    QTemporaryDir m_folder;
    QString m_file;
    ManualClock m_clock{start};

private slots:
    void init()
    {
        static int n = 0;
        m_file = m_folder.filePath(u"alerts-%1.db"_s.arg(n++));
    }
    void firedAndResolvedExactlyOnce();
    void errorsAreTriedAgainWithTheSameId();
    void whatIsRefusedIsGivenUp();
    void silenceIsNotWaitedForForEver();
    void redirectionsAreNotFollowed();
    void tlsIsVerified();
    void theQueueOutlivesTheProgram();
    void ofTwoProgramsOneTells();
    void acknowledgedAndSilencedByAnother();
    void commands();
    void aCommandEndsInTime();
    void secretsStayWhereTheyAre();
    void withoutTheFileAlertsAreToldAllTheSame();
    void aFileOfTheFutureIsLeftAlone();
    void theDesktopIsToldOnce();
    void aTestReallySends();
};

void TestAlertDelivery::firedAndResolvedExactlyOnce()
{
    HookServer server;
    QVERIFY(server.listen());
    qputenv("LK_HOOK_SECRET", "S3CRET-KEY");
    const QByteArray toml = hook(server.port(), "secret_env = 'LK_HOOK_SECRET'\n");
    {
        Teller teller(*this, toml);
        teller.find({"mail"});
        QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(1), patience);
        const HookServer::Request& request = server.requests().front();
        QCOMPARE(event(request), QByteArray("fired"));
        QVERIFY(request.line.startsWith("POST /hook?t=S3CRET-PATH HTTP/1.1"));
        QCOMPARE(request.headers.value("content-type"), QByteArray("application/json"));
        QCOMPARE(request.headers.value("lockkeeper-attempt"), QByteArray("1"));
        QCOMPARE(request.headers.value("lockkeeper-event"),
                 QJsonDocument::fromJson(request.body)[u"id"_s].toString().toLatin1());
        const qint64 seconds = request.headers.value("lockkeeper-timestamp").toLongLong();
        QCOMPARE(seconds, start / 1000);
        QCOMPARE(request.headers.value("lockkeeper-signature"),
                 signatureOf(request.body, seconds, "S3CRET-KEY"));
        QTRY_COMPARE_WITH_TIMEOUT(teller.queued(), 0, patience);
        for (int i = 0; i < 20; ++i)
            pass(teller, 60'000);
        QCOMPARE(server.requests().size(), size_t(1));
    }
    {
        // The same hazard after a restart is the same event.
        Teller teller(*this, toml);
        teller.find({"mail"});
        pass(teller, 60'000);
        QCOMPARE(teller.alerts->open.size(), size_t(1));
        QCOMPARE(server.requests().size(), size_t(1));
        teller.find({});
        QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(2), patience);
        QCOMPARE(event(server.requests().back()), QByteArray("resolved"));
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
    Teller teller(*this, hook(server.port()));
    teller.find({"mail"});
    QTRY_COMPARE_WITH_TIMEOUT(teller.problem(), u"HTTP 500"_s, patience);
    pass(teller, 900);
    QCOMPARE(server.requests().size(), size_t(1)); // not before its time
    pass(teller, 100);
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(2), patience);
    QTRY_VERIFY_WITH_TIMEOUT((teller.keeper->everySecond(), teller.problem() == u"HTTP 503"_s),
                             patience);
    pass(teller, 2000);
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(3), patience);
    QTRY_VERIFY_WITH_TIMEOUT((teller.keeper->everySecond(), teller.queued() == 0), patience);
    for (int i = 1; i < 3; ++i) {
        QCOMPARE(server.requests()[size_t(i)].body, server.requests()[0].body);
        QCOMPARE(server.requests()[size_t(i)].headers.value("lockkeeper-event"),
                 server.requests()[0].headers.value("lockkeeper-event"));
        QCOMPARE(server.requests()[size_t(i)].headers.value("lockkeeper-attempt"),
                 QByteArray::number(i + 1));
    }
    pass(teller, 3'600'000);
    QCOMPARE(server.requests().size(), size_t(3));
}

void TestAlertDelivery::whatIsRefusedIsGivenUp()
{
    HookServer server;
    QVERIFY(server.listen());
    server.answer({"400 No", "400 No", "400 No"});
    Teller teller(*this, hook(server.port()));
    teller.find({"mail"});
    for (int attempt = 1; attempt <= 3; ++attempt) {
        QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(attempt), patience);
        QTRY_VERIFY_WITH_TIMEOUT((pass(teller, 1000), server.requests().size() > size_t(attempt) ||
                                                          teller.queued() == 0),
                                 patience);
    }
    QCOMPARE(server.requests().size(), size_t(3));
    // What comes next is not held up by it.
    teller.find({});
    QTRY_VERIFY_WITH_TIMEOUT((pass(teller, 1000), server.requests().size() == 4), patience);
    QCOMPARE(event(server.requests().back()), QByteArray("resolved"));
}

void TestAlertDelivery::silenceIsNotWaitedForForEver()
{
    HookServer server;
    QVERIFY(server.listen());
    server.answer({QByteArray()}); // never
    Teller teller(*this, hook(server.port(), "timeout = '300ms'\n"));
    teller.find({"mail"});
    QTRY_VERIFY_WITH_TIMEOUT(
        (teller.keeper->everySecond(), teller.problem() == u"no answer in time"_s), patience);
    pass(teller, 1000);
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(2), patience);
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
    Teller teller(*this, hook(server.port()));
    teller.find({"mail"});
    QTRY_VERIFY_WITH_TIMEOUT(
        (teller.keeper->everySecond(), teller.problem().startsWith(u"HTTP 307"_s)), patience);
    pass(teller, 1000);
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(2), patience);
    QVERIFY(elsewhere.requests().empty());
}

void TestAlertDelivery::tlsIsVerified()
{
    const QString folder = m_folder.path();
    const QString authority = u"req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "
                              "-keyout %1.key -out %1.pem -days 2 -subj /CN=%1"_s;
    QVERIFY(openssl(folder, authority.arg(u"good"_s)));
    QVERIFY(openssl(folder, authority.arg(u"other"_s)));
    QFile names(m_folder.filePath(u"names"_s));
    QVERIFY(names.open(QIODevice::WriteOnly));
    names.write("subjectAltName=DNS:localhost\n");
    names.close();
    QVERIFY(openssl(folder, u"req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "
                            "server.key -out server.csr -subj /CN=localhost"_s));
    QVERIFY(openssl(folder, u"x509 -req -in server.csr -CA good.pem -CAkey good.key "
                            "-CAcreateserial -out server.pem -days 2 -extfile names"_s));
    HookServer server;
    QVERIFY(
        server.listenTls(m_folder.filePath(u"server.pem"_s), m_folder.filePath(u"server.key"_s)));
    const auto toml = [&](const char* ca) {
        return hook(server.port(),
                    "ca_file = '" + m_folder.filePath(QLatin1String(ca)).toUtf8() + "'\n", "https");
    };
    {
        Teller teller(*this, toml("other.pem"));
        teller.find({"mail"});
        QTRY_VERIFY_WITH_TIMEOUT(
            (teller.keeper->everySecond(), teller.problem().startsWith(u"TLS failed"_s)), patience);
        QVERIFY(server.requests().empty());
    }
    m_clock.advance(60'000);
    Teller teller(*this, toml("good.pem"));
    teller.find({"mail"});
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(1), patience);
    QCOMPARE(event(server.requests().front()), QByteArray("fired"));
    QCOMPARE(server.requests().front().headers.value("lockkeeper-attempt"), QByteArray("2"));
}

void TestAlertDelivery::theQueueOutlivesTheProgram()
{
    HookServer server;
    QVERIFY(server.listen());
    const quint16 port = server.port();
    server.close();
    {
        Teller teller(*this, hook(port));
        teller.find({"mail"});
        QTRY_VERIFY_WITH_TIMEOUT(
            (teller.keeper->everySecond(), teller.problem() == u"connection refused"_s), patience);
        QCOMPARE(teller.queued(), 1);
    }
    QVERIFY(server.listen(port));
    m_clock.advance(10'000);
    Teller teller(*this, hook(port));
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(1), patience);
    QCOMPARE(event(server.requests().front()), QByteArray("fired"));
    QTRY_VERIFY_WITH_TIMEOUT((teller.keeper->everySecond(), teller.queued() == 0), patience);
    pass(teller, 60'000);
    QCOMPARE(server.requests().size(), size_t(1));
}

void TestAlertDelivery::ofTwoProgramsOneTells()
{
    HookServer server;
    QVERIFY(server.listen());
    auto first = std::make_unique<Teller>(*this, hook(server.port()));
    Teller second(*this, hook(server.port()));
    first->find({"mail"});
    second.find({"mail"});
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(1), patience);
    QTRY_VERIFY_WITH_TIMEOUT((second.keeper->everySecond(), second.alerts->open.size() == 1),
                             patience);
    QVERIFY(first->alerts->raisedHere);
    QVERIFY(!second.alerts->raisedHere);
    QTRY_VERIFY_WITH_TIMEOUT((first->keeper->everySecond(), first->queued() == 0), patience);
    first.reset();
    pass(second, 60'000);
    QVERIFY(second.alerts->raisedHere);
    pass(second, 60'000);
    QCOMPARE(server.requests().size(), size_t(1));
    second.find({});
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(2), patience);
    QCOMPARE(event(server.requests().back()), QByteArray("resolved"));
}

void TestAlertDelivery::acknowledgedAndSilencedByAnother()
{
    HookServer server;
    QVERIFY(server.listen());
    Teller raising(*this, hook(server.port()));
    Teller reading(*this, hook(server.port()));
    Silence silence;
    silence.match = "jobs";
    silence.by = u"ann"_s;
    silence.reason = u"known"_s;
    reading.keeper->silence(silence);
    raising.keeper->everySecond();
    QCOMPARE(raising.alerts->silences.size(), size_t(1));
    QCOMPARE(raising.alerts->silences.front().reason, u"known"_s);
    raising.find({"jobs", "mail"});
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(1), patience);
    QCOMPARE(raising.alerts->open.size(), size_t(2));
    reading.keeper->everySecond();
    QCOMPARE(reading.alerts->open.size(), size_t(2));
    QCOMPARE(reading.alerts->unattended(start).count, 1);
    QByteArrayList ids;
    for (const AlertPtr& alert : reading.alerts->open)
        ids << alert->id;
    reading.keeper->acknowledge(ids, u"ann@desk"_s);
    raising.keeper->everySecond();
    for (const AlertPtr& alert : raising.alerts->open)
        QCOMPARE(alert->acknowledgedBy, u"ann@desk"_s);
    QCOMPARE(raising.alerts->unattended(start).count, 0);
    reading.keeper->endSilence(reading.alerts->silences.front().id);
    pass(raising, 60'000);
    QVERIFY(raising.alerts->silences.empty());
    pass(raising, 60'000);
    QCOMPARE(server.requests().size(), size_t(1)); // who acknowledged it need not be told
}

void TestAlertDelivery::commands()
{
    const QString out = m_folder.filePath(u"told"_s);
    const QByteArray toml =
        "[[alert]]\nwhen = 'queue-stuck'\nnotify = ['page']\n[notify.page]\n"
        "command = ['/bin/sh', '-c', 'cat >> \"$1\"; env > \"$1.env\"; test -e \"$1.ok\" || { echo "
        "no pager >&2; touch \"$1.ok\"; exit 3; }', 'sh', '" +
        out.toUtf8() + "']\n[notify.other]\nwebhook = 'https://h/'\nsecret_env = 'LK_OTHER'\n";
    qputenv("LK_OTHER", "S3CRET");
    qputenv("LOCKKEEPER_PASSWORD", "S3CRET");
    Teller teller(*this, toml);
    teller.find({"mail"});
    QTRY_VERIFY_WITH_TIMEOUT(
        (teller.keeper->everySecond(), teller.problem() == u"exit code 3: no pager"_s), patience);
    pass(teller, 1000);
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

void TestAlertDelivery::aCommandEndsInTime()
{
    const QString pidFile = m_folder.filePath(u"child"_s);
    Teller teller(*this,
                  "[[alert]]\nwhen = 'queue-stuck'\nnotify = ['page']\n[notify.page]\n"
                  "timeout = '1s'\ncommand = ['/bin/sh', '-c', 'sleep 600 & echo $! > \"$1\"; "
                  "wait', 'sh', '" +
                      pidFile.toUtf8() + "']\n");
    teller.find({"mail"});
    QTRY_VERIFY_WITH_TIMEOUT(
        (teller.keeper->everySecond(), teller.problem().startsWith(u"not done in time"_s)),
        patience);
    QFile file(pidFile);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString stat = u"/proc/%1/stat"_s.arg(file.readAll().trimmed().toLongLong());
    const auto runs = [&] {
        QFile process(stat);
        return process.open(QIODevice::ReadOnly) && !process.readAll().contains(") Z ");
    };
    QTRY_VERIFY_WITH_TIMEOUT(!runs(), patience);
}

void TestAlertDelivery::secretsStayWhereTheyAre()
{
    HookServer server;
    QVERIFY(server.listen());
    qputenv("LK_HOOK_SECRET", "S3CRET-KEY");
    server.answer({"500 S3CRET-ECHO"});
    {
        Teller teller(*this, hook(server.port(), "secret_env = 'LK_HOOK_SECRET'\n"));
        teller.find({"mail"});
        QTRY_VERIFY_WITH_TIMEOUT((teller.keeper->everySecond(), !teller.problem().isEmpty()),
                                 patience);
        QVERIFY(!teller.problem().contains(u"S3CRET"_s));
    }
    qunsetenv("LK_HOOK_SECRET");
    m_clock.advance(60'000);
    {
        // Without it nothing is sent at all, rather than something that proves nothing.
        Teller teller(*this, hook(server.port(), "secret_env = 'LK_HOOK_SECRET'\n"));
        QTRY_VERIFY_WITH_TIMEOUT((teller.keeper->everySecond(),
                                  teller.problem().contains(u"LK_HOOK_SECRET is not set"_s)),
                                 patience);
    }
    QCOMPARE(server.requests().size(), size_t(1));
    for (const QString& suffix : {u""_s, u"-wal"_s}) {
        QFile file(m_file + suffix);
        QVERIFY(!file.open(QIODevice::ReadOnly) || !file.readAll().contains("S3CRET"));
        QVERIFY(!file.exists() ||
                (file.permissions() & (QFile::ReadGroup | QFile::ReadOther)) == 0);
    }
}

void TestAlertDelivery::withoutTheFileAlertsAreToldAllTheSame()
{
    HookServer server;
    QVERIFY(server.listen());
    QFile plain(m_folder.filePath(u"plain"_s));
    QVERIFY(plain.open(QIODevice::WriteOnly));
    m_file = plain.fileName() + u"/alerts.db"_s; // no folder
    Teller teller(*this, hook(server.port()));
    teller.find({"mail"});
    QTRY_COMPARE_WITH_TIMEOUT(server.requests().size(), size_t(1), patience);
    QVERIFY(teller.alerts->problem.has_value());
    QVERIFY(teller.alerts->problem->detail.contains(m_file));
    QCOMPARE(teller.alerts->open.size(), size_t(1));
}

void TestAlertDelivery::aFileOfTheFutureIsLeftAlone()
{
    {
        AlertDatabase database(m_file);
        QVERIFY(database.open().has_value());
        QVERIFY(database.run("PRAGMA user_version = 99").has_value());
    }
    AlertDatabase database(m_file);
    const Result<void> opened = database.open();
    QVERIFY(!opened.has_value());
    QVERIFY(opened.error().detail.contains(u"newer version"_s));
}

void TestAlertDelivery::theDesktopIsToldOnce()
{
    const QByteArray toml = "[[alert]]\nwhen = 'queue-stuck'\n";
    Teller headless(*this, toml); // raises them, and has nobody to show them to
    Teller window(*this, toml, true);
    Teller another(*this, toml, true);
    headless.find({"mail"});
    window.keeper->everySecond();
    another.keeper->everySecond();
    QCOMPARE(window.shown.size() + another.shown.size(), 1);
    const QByteArray json = (window.shown + another.shown).front();
    QCOMPARE(QJsonDocument::fromJson(json)[u"event"_s].toString(), u"fired"_s);
    headless.find({});
    pass(headless, 20'000);
    m_clock.advance(3'600'000); // nobody wants to be shown what is old
    window.keeper->everySecond();
    QCOMPARE(window.shown.size() + another.shown.size(), 1);
}

void TestAlertDelivery::aTestReallySends()
{
    HookServer server;
    QVERIFY(server.listen());
    server.answer({"200 OK", "404 Nowhere"});
    Teller teller(*this, hook(server.port()), true);
    teller.keeper->test("hook");
    QTRY_COMPARE_WITH_TIMEOUT(teller.tested, QStringList{QString()}, patience);
    QCOMPARE(event(server.requests().front()), QByteArray("test"));
    teller.keeper->test("hook");
    QTRY_COMPARE_WITH_TIMEOUT(teller.tested.size(), 2, patience);
    QCOMPARE(teller.tested.back(), u"HTTP 404"_s);
    teller.keeper->test("pager");
    QCOMPARE(teller.tested.back(), u"there is no such target here"_s);
    teller.keeper->test("desktop");
    QCOMPARE(teller.shown.size(), 1);
    pass(teller, 3'600'000);
    QCOMPARE(server.requests().size(), size_t(2)); // a test is not tried again
}

QTEST_GUILESS_MAIN(TestAlertDelivery)
#include "tst_alertdelivery.moc"
