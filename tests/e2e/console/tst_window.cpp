// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QImage>
#include <QStandardPaths>

using namespace lk;
using test::Program;

// The console on a real X server, driven by a mouse and a keyboard from outside.
class TestWindow : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        for (const char* tool : {"Xvfb", "xdotool", "import", "redis-server"})
            QVERIFY2(!QStandardPaths::findExecutable(QLatin1String(tool)).isEmpty(), tool);
        // Without -noreset it starts anew whenever its last client leaves, which xdotool does.
        m_xvfb.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
        m_xvfb.start(
            QStringLiteral("Xvfb"),
            QString(QStringLiteral("-displayfd 1 -screen 0 1400x900x24 -nolisten tcp -noreset"))
                .split(QLatin1Char(' ')));
        QVERIFY(m_xvfb.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(m_xvfb.canReadLine(), 20'000);
        m_display = QLatin1Char(':') + QString::fromLatin1(m_xvfb.readLine().trimmed());
    }
    void cleanupTestCase()
    {
        m_xvfb.terminate();
        QVERIFY(m_xvfb.waitForFinished());
    }

    // From the first sight of the demo over a table in a file to the end.
    void aTourOfTheDemo()
    {
        Program program;
        QString window;
        open(program,
             {QStringLiteral("--demo"), QStringLiteral("--theme"), QStringLiteral("light")},
             QStringLiteral("^Demo "), &window);
        const qint64 redis = test::childrenOf(program.process.processId()).value(0);
        QVERIFY(test::commandLine(redis).contains("redis-server"));
        QTRY_COMPARE(leftovers(program).size(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(colors(program) > 100, 20'000);

        click(window, 90, lockButtonY); // the navigation bar's third: locks
        xdotool({QStringLiteral("key"), QStringLiteral("ctrl+f")});
        xdotool({QStringLiteral("type"), QStringLiteral("migration")});
        const QString file = program.home() + QStringLiteral("/table.csv");
        QByteArrayList lines;
        QTRY_VERIFY_WITH_TIMEOUT((lines = saved(window, file)).size() >= 2, 30'000); // once found
        QVERIFY2(lines[0].startsWith("Name,State,Owner"), lines[0].constData());
        for (const QByteArray& line : lines.mid(1))
            QVERIFY2(line.startsWith("lock:migration:2019,"), line.constData());

        xdotool({QStringLiteral("windowfocus"), window});
        xdotool({QStringLiteral("key"), QStringLiteral("ctrl+q")});
        QTRY_COMPARE_WITH_TIMEOUT(program.process.state(), QProcess::NotRunning, 20'000);
        QCOMPARE(program.exitCode(), 0);
        QCOMPARE(program.process.exitStatus(), QProcess::NormalExit);
        QVERIFY2(!program.err().contains("lockkeeper: "), program.err().constData());
        QVERIFY(!test::runs(redis));
        QCOMPARE(leftovers(program), QStringList());
    }

    void killedItTakesTheServerAlong()
    {
        Program program;
        QString window;
        open(program, {QStringLiteral("--demo")}, QStringLiteral("^Demo "), &window);
        const QList<qint64> children = test::childrenOf(program.process.processId());
        QVERIFY(!children.isEmpty());
        program.process.kill();
        QVERIFY(program.process.waitForFinished());
        for (const qint64 child : children)
            QTRY_VERIFY(!test::runs(child));
    }

    void withoutRedisTheWindowStaysAndTheExitCodeTells()
    {
        Program program;
        const QTemporaryDir empty;
        program.set("PATH", empty.path());
        QString window;
        open(program, {QStringLiteral("--demo")}, QStringLiteral("^Lockkeeper$"), &window);
        QTRY_VERIFY(program.err().contains("apt-get install redis-server"));
        QVERIFY2(program.err().contains("lockkeeper: "), program.err().constData());
        click(window, 700, 400);
        xdotool({QStringLiteral("key"), QStringLiteral("ctrl+q")});
        QTRY_COMPARE_WITH_TIMEOUT(program.process.state(), QProcess::NotRunning, 20'000);
        QCOMPARE(program.exitCode(), 2);
    }

    // Once by a hand, and again by what was remembered.
    void opensTheBoardThatWasLeft()
    {
        test::RedisServer server;
        QVERIFY2(server.start(), server.output());
        server.line("SET lock:one owner-1 PX 600000");
        Program program;
        for (const bool byHand : {true, false}) {
            QString window;
            open(program, {server.url().withoutPassword()}, QStringLiteral("Lockkeeper$"), &window);
            QTRY_VERIFY_WITH_TIMEOUT(colors(program) > 100, 20'000);
            QTRY_VERIFY_WITH_TIMEOUT(
                server.run({"INFO", "commandstats"}).text.contains("cmdstat_scan"), 20'000);
            server.line("CONFIG RESETSTAT");
            if (byHand)
                click(window, 90, lockButtonY);
            xdotool({QStringLiteral("windowfocus"), window});
            xdotool({QStringLiteral("key"), QStringLiteral("ctrl+q")});
            QTRY_COMPARE_WITH_TIMEOUT(program.process.state(), QProcess::NotRunning, 20'000);
            QCOMPARE(program.exitCode(), 0);
            QFile settings(program.home() + QStringLiteral("/lockkeeper/lockkeeper.conf"));
            QVERIFY(settings.open(QIODevice::ReadOnly));
            const QByteArray kept = settings.readAll();
            QVERIFY2(kept.contains("view\\board=lock\n"), kept.constData());
        }
    }

    void asksForAServerWhenNoneIsGiven()
    {
        Program program;
        QString window;
        open(program, {}, QStringLiteral("^Connect"), &window);
        QVERIFY(test::childrenOf(program.process.processId()).isEmpty());
    }

private:
    // The y position of the navigation bar's third button, in pixels from the window's top, give or
    // take half a button's height.
    static constexpr int lockButtonY = 160;

    QByteArray tool(const QString& name, const QStringList& arguments) const
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("DISPLAY"), m_display);
        process.setProcessEnvironment(environment);
        process.start(name, arguments);
        return process.waitForFinished() ? process.readAllStandardOutput() : QByteArray();
    }
    QByteArray xdotool(const QStringList& arguments) const
    {
        return tool(QStringLiteral("xdotool"), arguments);
    }
    /// The number of the visible window whose title matches; empty if there is none.
    QString find(const QString& title) const
    {
        return QString::fromLatin1(
                   xdotool({QStringLiteral("search"), QStringLiteral("--onlyvisible"),
                            QStringLiteral("--name"), title}))
            .section(QLatin1Char('\n'), 0, 0);
    }
    // There is no window manager: a window has the focus once it is clicked or told so.
    void click(const QString& window, int x, int y) const
    {
        xdotool({QStringLiteral("mousemove"), QStringLiteral("--window"), window,
                 QString::number(x), QString::number(y)});
        xdotool({QStringLiteral("click"), QStringLiteral("1")});
        xdotool({QStringLiteral("windowfocus"), window});
    }
    void open(Program& program, const QStringList& arguments, const QString& title,
              QString* window) const
    {
        program.set("DISPLAY", m_display);
        program.set("QT_QPA_PLATFORM", QStringLiteral("xcb"));
        QVERIFY(program.start(arguments));
        QTRY_VERIFY_WITH_TIMEOUT(
            program.process.state() == QProcess::NotRunning || !find(title).isEmpty(), 30'000);
        QVERIFY2(program.process.state() == QProcess::Running, program.err().constData());
        *window = find(title);
    }
    /// The lines of the table, saved by the key and the dialog; none if that did not work out.
    QByteArrayList saved(const QString& window, const QString& name) const
    {
        QFile file(name);
        file.remove();
        const QString title = QStringLiteral("^Save the table$");
        if (find(title).isEmpty()) {
            xdotool({QStringLiteral("windowfocus"), window});
            xdotool({QStringLiteral("key"), QStringLiteral("ctrl+s")});
        }
        if (!QTest::qWaitFor([&] { return !find(title).isEmpty(); }))
            return {};
        xdotool({QStringLiteral("windowfocus"), QStringLiteral("--sync"), find(title)});
        xdotool({QStringLiteral("key"), QStringLiteral("ctrl+a")});
        xdotool({QStringLiteral("type"), name});
        xdotool({QStringLiteral("key"), QStringLiteral("Return")});
        if (!QTest::qWaitFor([&] { return file.exists() && find(title).isEmpty(); }) ||
            !file.open(QIODevice::ReadOnly))
            return {};
        return file.readAll().trimmed().split('\n');
    }
    /// How many colours the whole screen shows.
    qsizetype colors(const Program& program) const
    {
        const QString file = program.home() + QStringLiteral("/root.png");
        tool(QStringLiteral("import"), {QStringLiteral("-window"), QStringLiteral("root"), file});
        const QImage image(file);
        QSet<QRgb> seen;
        for (int y = 0; y < image.height(); y += 2) {
            for (int x = 0; x < image.width(); x += 2)
                seen.insert(image.pixel(x, y));
        }
        return seen.size();
    }
    static QStringList leftovers(const Program& program)
    {
        return QDir(program.home()).entryList({QStringLiteral("lockkeeper-*")}, QDir::AllEntries);
    }

    QProcess m_xvfb;
    QString m_display;
};

LK_TEST(TestWindow);
#include "tst_window.moc"
