// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/servers/demoserver.h"
#include "backend/redis/connection.h"
#include "backend/text/errortext.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTextStream>

#include <csignal>

using namespace lk;

namespace {

constexpr auto serveOption = "--serve";

/// A zombie that was not reaped counts as ended.
bool runs(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray stat = file.readAll();
    return stat.mid(stat.lastIndexOf(')') + 2, 1) != "Z";
}

bool startAndWait(DemoServer& server)
{
    server.start();
    return QTest::qWaitFor([&] { return server.isReady(); }, 15'000);
}

} // namespace

class tst_DemoServer : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_path = qgetenv("PATH");
        m_tmp = qgetenv("TMPDIR");
    }
    void cleanup()
    {
        qputenv("PATH", m_path);
        m_tmp.isEmpty() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", m_tmp);
    }

    void answersOnAPrivateSocket();
    void leavesNothingBehind();
    void twoAtOnce();
    void saysSoWhenItIsNotInstalled();
    void saysSoWhenItEndsAtOnce();
    void saysSoWhenItCrashes();
    void deepFolderForTemporaryFiles();
    void destroyedWhileStarting();
    void diesWithUsWhenWeAreKilled();

private:
    /// Makes that the only program that is found.
    void installInstead(const QTemporaryDir& folder, const QByteArray& script)
    {
        const QString path = folder.filePath(QStringLiteral("redis-server"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(script);
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        qputenv("PATH", QFile::encodeName(folder.path()));
    }

    QByteArray m_path;
    QByteArray m_tmp;
};

void tst_DemoServer::answersOnAPrivateSocket()
{
    DemoServer server;
    QSignalSpy failed(&server, &DemoServer::failed);
    QVERIFY(startAndWait(server));
    QCOMPARE(failed.size(), 0);
    QCOMPARE(server.url().scheme, ServerUrl::Scheme::Unix);
    QVERIFY(server.url().path.startsWith(server.folder()));
    QCOMPARE(QFileInfo(server.folder()).permissions() &
                 (QFile::ReadGroup | QFile::ReadOther | QFile::ExeOther),
             QFile::Permissions());

    Connection connection(server.url());
    QVERIFY(test::openAndWait(connection));
    const BatchResult replies = test::runAndWait(connection, {{"PING"},
                                                              {"CONFIG", "GET", "port"},
                                                              {"CONFIG", "GET", "save"},
                                                              {"CONFIG", "GET", "maxmemory"},
                                                              {"DBSIZE"}});
    QVERIFY(replies.has_value());
    QCOMPARE(replies->at(0).text, QByteArray("PONG"));
    QCOMPARE(replies->at(1).items[1].text, QByteArray("0"));
    QCOMPARE(replies->at(2).items[1].text, QByteArray());
    QCOMPARE(replies->at(3).items[1].text, QByteArray("268435456"));
    QCOMPARE(replies->at(4).integer, 0);
}

void tst_DemoServer::leavesNothingBehind()
{
    qint64 pid = 0;
    QString folder;
    {
        DemoServer server;
        QVERIFY(startAndWait(server));
        pid = server.processId();
        folder = server.folder();
        QVERIFY(runs(pid));
        QVERIFY(QDir(folder).exists());
    }
    QVERIFY(!runs(pid));
    QVERIFY(!QDir(folder).exists());
}

void tst_DemoServer::twoAtOnce()
{
    DemoServer one;
    DemoServer two;
    QVERIFY(startAndWait(one));
    QVERIFY(startAndWait(two));
    QVERIFY(one.url().path != two.url().path);
}

void tst_DemoServer::saysSoWhenItIsNotInstalled()
{
    const QTemporaryDir empty;
    qputenv("PATH", QFile::encodeName(empty.path()));
    DemoServer server;
    QSignalSpy failed(&server, &DemoServer::failed);
    server.start();
    QCOMPARE(failed.size(), 0); // from the event loop
    QTRY_COMPARE(failed.size(), 1);
    const Error error = failed[0][0].value<Error>();
    QCOMPARE(error.code, ErrorCode::NotInstalled);
    QVERIFY(errorText(error).contains(QStringLiteral("sudo apt-get install redis-server")));
    QVERIFY(!server.isReady());
}

void tst_DemoServer::saysSoWhenItEndsAtOnce()
{
    const QTemporaryDir folder;
    installInstead(folder, "#!/bin/sh\necho 'no memory to be had'\nexit 3\n");
    DemoServer server;
    QSignalSpy failed(&server, &DemoServer::failed);
    server.start();
    QTRY_COMPARE(failed.size(), 1);
    const QString text = errorText(failed[0][0].value<Error>());
    QVERIFY2(text.contains(QStringLiteral("no memory to be had")), qPrintable(text));
    QVERIFY2(text.contains(QLatin1Char('3')), qPrintable(text));
}

void tst_DemoServer::saysSoWhenItCrashes()
{
    DemoServer server;
    QSignalSpy failed(&server, &DemoServer::failed);
    QVERIFY(startAndWait(server));
    QCOMPARE(kill(pid_t(server.processId()), SIGKILL), 0);
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(failed[0][0].value<Error>().code, ErrorCode::Network);
    QVERIFY(!server.isReady());
}

void tst_DemoServer::deepFolderForTemporaryFiles()
{
    const QTemporaryDir top;
    const QString deep = top.filePath(QString(100, QLatin1Char('d')));
    QVERIFY(QDir().mkpath(deep));
    qputenv("TMPDIR", QFile::encodeName(deep));
    DemoServer server;
    QVERIFY(startAndWait(server));
    QVERIFY(QFile::encodeName(server.url().path).size() < 108);
    QVERIFY(QDir(deep).isEmpty());
}

void tst_DemoServer::destroyedWhileStarting()
{
    qint64 pid = 0;
    QString folder;
    {
        DemoServer server;
        server.start();
        QTRY_VERIFY(server.processId() != 0);
        pid = server.processId();
        folder = server.folder();
    }
    QVERIFY(!runs(pid));
    QVERIFY(!QDir(folder).exists());
}

void tst_DemoServer::diesWithUsWhenWeAreKilled()
{
    const QTemporaryDir tmp; // no process is left to remove the server's folder
    qputenv("TMPDIR", QFile::encodeName(tmp.path()));
    QProcess other;
    other.start(QCoreApplication::applicationFilePath(),
                {QStringLiteral("tst_demoserver"), QString::fromLatin1(serveOption)});
    QTRY_VERIFY(other.canReadLine());
    const qint64 pid = other.readLine().trimmed().toLongLong();
    QVERIFY(pid > 0 && runs(pid));
    other.kill();
    QVERIFY(other.waitForFinished());
    QTRY_VERIFY(!runs(pid));
}

/// With --serve: a process that has a demo server and says which, to be killed by the test above.
static int runOrServe(int argc, char* argv[])
{
    if (argc != 2 || QLatin1String(argv[1]) != QLatin1String(serveOption))
        return test::runTest<QCoreApplication, tst_DemoServer>(argc, argv);
    QCoreApplication app(argc, argv);
    DemoServer server;
    QObject::connect(&server, &DemoServer::ready, &app,
                     [&server] { QTextStream(stdout) << server.processId() << Qt::endl; });
    server.start();
    return app.exec();
}

LK_TEST_RUN(runOrServe);
#include "tst_demoserver.moc"
