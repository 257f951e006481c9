// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

struct Ran
{
    int code = -1;
    QString out;
    QString error;
};

Ran ran(const QString& program, const QStringList& arguments, const QString& folder = {},
        const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment())
{
    QProcess process;
    process.setProcessEnvironment(environment);
    if (!folder.isEmpty())
        process.setWorkingDirectory(folder);
    process.start(program, arguments);
    if (!process.waitForStarted() || !process.waitForFinished(150'000))
        return {-1, {}, process.errorString()};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

/// One of ours, which fails the test if it warns of itself.
Ran ranOurs(const QString& program, const QStringList& arguments)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    const QTemporaryDir runtime;
    environment.insert(u"XDG_RUNTIME_DIR"_s, runtime.path());
    nameWarnings(environment);
    const Ran ended = ran(program, arguments, {}, environment);
    failOnWarnings(ended.error.toUtf8());
    return ended;
}

QStringList filesUnder(const QString& folder)
{
    QStringList files;
    QDirIterator it(folder, QDir::Files | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (it.hasNext())
        files << it.next().mid(folder.size());
    files.sort();
    return files;
}

} // namespace

/// The files that distributions and administrators get: an installation, and two packages of it.
class TestInstall : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(m_packages.isValid());
        const Ran made = ran(u"cpack"_s, {u"-G"_s, u"DEB"_s, u"-B"_s, m_packages.path()},
                             QStringLiteral(LOCKKEEPER_BUILD));
        QVERIFY2(made.code == 0, qPrintable(made.out + made.error));
        for (const QString& file : QDir(m_packages.path()).entryList({u"*.deb"_s}))
            m_debs << m_packages.filePath(file);
        QCOMPARE(m_debs.size(), 2);
        for (const QString& deb : m_debs) {
            const Ran unpacked = ran(u"dpkg-deb"_s, {u"--extract"_s, deb, m_root.path()});
            QVERIFY2(unpacked.code == 0, qPrintable(unpacked.error));
        }
    }

    // Unpacked where nothing else is, both programs run and do their work.
    void runFromACleanRoot()
    {
        for (const QString& name : {u"lockkeeper"_s, u"lockkeeper-console"_s}) {
            const Ran version = ranOurs(m_root.filePath(u"usr/bin/"_s + name), {u"--version"_s});
            QCOMPARE(version.code, 0);
            QVERIFY2(version.out.contains(QStringLiteral(LOCKKEEPER_VERSION)),
                     qPrintable(version.out));
        }
        RedisServer server;
        QVERIFY(server.start());
        server.line("SET lock:invoice:42 host1 PX 600000");
        const Ran snapshot =
            ranOurs(m_root.filePath(u"usr/bin/lockkeeper"_s), {u"snapshot"_s, server.urlText()});
        QVERIFY2(snapshot.code == 0, qPrintable(snapshot.error));
        QVERIFY(snapshot.out.contains(u"lock:invoice:42"));
        // Icons, fonts and charts are there, too.
        const QTemporaryDir pictures;
        const Ran shots = ranOurs(
            m_root.filePath(u"usr/bin/lockkeeper-console"_s),
            {u"screenshots"_s, server.urlText(), pictures.path(), u"--theme"_s, u"light"_s});
        QVERIFY2(shots.code == 0, qPrintable(shots.error));
        const QStringList boards = QDir(pictures.path()).entryList({u"*.png"_s});
        QVERIFY2(boards.size() >= 9, qPrintable(boards.join(u' ')));
        for (const QString& board : boards)
            QVERIFY2(QFileInfo(pictures.filePath(board)).size() > 10'000, qPrintable(board));
    }

    void everythingIsInItsPlace()
    {
        const QStringList files = filesUnder(m_root.path());
        for (const char* file :
             {"/usr/share/man/man1/lockkeeper.1.gz", "/usr/share/man/man1/lockkeeper-console.1.gz",
              "/usr/share/man/man5/lockkeeper-layouts.5.gz",
              "/usr/share/man/man5/lockkeeper.toml.5.gz",
              "/usr/share/bash-completion/completions/lockkeeper",
              "/usr/share/zsh/vendor-completions/_lockkeeper",
              "/usr/share/fish/vendor_completions.d/lockkeeper.fish",
              "/usr/share/applications/org.lockkeeper.Console.desktop",
              "/usr/share/metainfo/org.lockkeeper.Console.metainfo.xml",
              "/usr/share/icons/hicolor/scalable/apps/lockkeeper-console.svg",
              "/usr/share/icons/hicolor/48x48/apps/lockkeeper-console.png",
              "/usr/lib/systemd/system/lockkeeper-record.service",
              "/usr/lib/systemd/user/lockkeeper-record.service",
              "/usr/share/lockkeeper/grafana-dashboard.json",
              "/usr/share/doc/lockkeeper/examples/record.env",
              "/usr/share/doc/lockkeeper/copyright", "/usr/share/doc/lockkeeper/changelog.gz",
              "/usr/share/doc/lockkeeper-console/copyright"})
            QVERIFY2(files.contains(QLatin1String(file)), file);
        for (const QString& file : files)
            QVERIFY2(file.startsWith(u"/usr/"), qPrintable(file));
    }

    // The unit starts the program that is installed with it, as a dynamic user. The dashboard
    // queries metrics that are served.
    void monitoringIsPrepared()
    {
        QFile unit(m_root.filePath(u"usr/lib/systemd/system/lockkeeper-record.service"_s));
        QVERIFY(unit.open(QIODevice::ReadOnly));
        const QByteArray lines = unit.readAll();
        for (const char* line :
             {"ExecStart=lockkeeper record $LOCKKEEPER_URLS", "DynamicUser=yes",
              "StateDirectory=lockkeeper", "ExecReload=/bin/kill -HUP $MAINPID",
              "ProtectSystem=strict", "NoNewPrivileges=yes", "SystemCallFilter=@system-service"})
            QVERIFY2(lines.contains(line), line);
        // An account's own has its recording and journal where its console looks for them.
        QFile own(m_root.filePath(u"usr/lib/systemd/user/lockkeeper-record.service"_s));
        QVERIFY(own.open(QIODevice::ReadOnly));
        const QByteArray ownLines = own.readAll();
        QVERIFY(ownLines.contains("EnvironmentFile=%E/lockkeeper/record.env"));
        QVERIFY(!ownLines.contains("DynamicUser=") && !ownLines.contains("\nEnvironment=") &&
                !ownLines.contains("--store"));
        const QString analyze = QStandardPaths::findExecutable(u"systemd-analyze"_s);
        for (const QStringList& which :
             {QStringList{unit.fileName()}, QStringList{u"--user"_s, own.fileName()}}) {
            if (analyze.isEmpty())
                break;
            const Ran verified =
                ran(analyze,
                    QStringList{u"verify"_s, u"--man=no"_s, u"--recursive-errors=no"_s} + which);
            // That the program is not installed there is no mistake of the unit's.
            const QStringList said = verified.error.split(u'\n', Qt::SkipEmptyParts);
            for (const QString& line : said)
                QVERIFY2(line.contains(u"is not executable"_s) || !line.contains(u"lockkeeper"_s),
                         qPrintable(line));
        }
        QFile file(m_root.filePath(u"usr/share/lockkeeper/grafana-dashboard.json"_s));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject dashboard = QJsonDocument::fromJson(file.readAll()).object();
        const QJsonArray panels = dashboard[u"panels"_s].toArray();
        QVERIFY(panels.size() > 8);
        for (const QJsonValue& panel : panels)
            QVERIFY(panel[u"targets"_s][0][u"expr"_s].toString().contains(u"lockkeeper_"_s));
    }

    void theDesktopKnowsIt()
    {
        const Ran desktop =
            ran(u"desktop-file-validate"_s,
                {m_root.filePath(u"usr/share/applications/org.lockkeeper.Console.desktop"_s)});
        QVERIFY2(desktop.code == 0, qPrintable(desktop.out + desktop.error));
        // It opens every address that the programs understand but a socket's.
        QFile entry(m_root.filePath(u"usr/share/applications/org.lockkeeper.Console.desktop"_s));
        QVERIFY(entry.open(QIODevice::ReadOnly));
        const QByteArray lines = entry.readAll();
        for (const char* scheme : {"redis", "rediss", "redis-sentinel", "rediss-sentinel",
                                   "redis-cluster", "rediss-cluster"})
            QVERIFY2(lines.contains(QByteArray("x-scheme-handler/") + scheme + ';'), scheme);
        QVERIFY(lines.contains("\nComment[de]="));
        const Ran metainfo =
            ran(u"appstreamcli"_s,
                {u"validate"_s, u"--no-net"_s,
                 m_root.filePath(u"usr/share/metainfo/org.lockkeeper.Console.metainfo.xml"_s)});
        QVERIFY2(metainfo.code == 0, qPrintable(metainfo.out + metainfo.error));
    }

    void lintianFindsNothing()
    {
        const Ran found =
            ran(u"lintian"_s,
                QStringList{u"--allow-root"_s, u"--fail-on"_s, u"error,warning"_s} + m_debs);
        QVERIFY2(found.code == 0, qPrintable(found.out + found.error));
    }

private:
    QTemporaryDir m_packages;
    QTemporaryDir m_root;
    QStringList m_debs;
};

LK_TEST(TestInstall);
#include "tst_install.moc"
