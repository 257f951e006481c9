// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QImage>

using namespace lk;
using test::Program;

// Every board as a picture, on a machine without a display.
class TestScreenshots : public QObject
{
    Q_OBJECT

private slots:
    void ofAServerAndOfTheDemo()
    {
        test::RedisServer server;
        QVERIFY2(server.start(), server.output());
        server.lines({"SET lock:invoice owner-1 PX 600000", "SET lock:orphan owner-2"});
        Program ofServer;
        Program ofDemo;
        QVERIFY(ofServer.start({QStringLiteral("screenshots"), server.urlText(), shots(ofServer)}));
        QVERIFY(ofDemo.start({QStringLiteral("screenshots"), shots(ofDemo),
                              QStringLiteral("--demo"), QStringLiteral("--print-snapshot")}));
        QTRY_VERIFY_WITH_TIMEOUT(!test::childrenOf(ofDemo.process.processId()).isEmpty(), 10'000);
        const qint64 redis = test::childrenOf(ofDemo.process.processId()).front();
        for (Program* program : {&ofServer, &ofDemo}) {
            QVERIFY(program->waitForEnd(120'000));
            QVERIFY2(program->exitCode() == 0, program->err().constData());
            QCOMPARE(complaints(*program), QByteArrayList());
            checkPictures(shots(*program), program == &ofDemo);
        }
        QCOMPARE(ofServer.out(), QByteArray());
        for (const char* said : {"Limiters (", "Locks (", "Queues (", "Tokens (", "mail:jobs"})
            QVERIFY2(ofDemo.out().contains(said), ofDemo.out().constData());
        QVERIFY(!test::runs(redis));
        QCOMPARE(leftovers(ofDemo), QStringList());
    }

    void oneThemeOnly()
    {
        test::RedisServer server;
        QVERIFY2(server.start(), server.output());
        Program program;
        QVERIFY(program.run({QStringLiteral("screenshots"), server.urlText(), shots(program),
                             QStringLiteral("--theme"), QStringLiteral("dark")}));
        QCOMPARE(program.exitCode(), 0);
        const QStringList files = QDir(shots(program)).entryList(QDir::Files);
        QCOMPARE(files.size(), 10);
        QCOMPARE(files.filter(QStringLiteral("-dark.png")).size(), 10);
    }

    // As app/run asks for it: no window can open, so what it would show is drawn and printed.
    void withoutADisplayTheBoardsAreDrawn()
    {
        test::RedisServer server;
        QVERIFY2(server.start(), server.output());
        server.line("SET lock:invoice owner-1 PX 600000");
        Program program;
        program.set("LOCKKEEPER_BOARDS", shots(program));
        QVERIFY(
            program.run({server.urlText(), QStringLiteral("--theme"), QStringLiteral("light")}));
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        QVERIFY2(program.err().startsWith("lockkeeper: There is no display"),
                 program.err().constData());
        QVERIFY2(program.out().contains("lock:invoice"), program.out().constData());
        QCOMPARE(QDir(shots(program)).entryList(QDir::Files).size(), 10);
    }

    void saysThatRedisIsMissing()
    {
        Program program;
        const QTemporaryDir empty;
        program.set("PATH", empty.path());
        QVERIFY(
            program.run({QStringLiteral("screenshots"), QStringLiteral("--demo"), shots(program)}));
        QCOMPARE(program.exitCode(), 2);
        QVERIFY2(program.err().contains("apt-get install redis-server"), program.err().constData());
        QCOMPARE(program.err().count('\n'), 1);
        QCOMPARE(leftovers(program), QStringList());
    }

private:
    static QString shots(const Program& program)
    {
        return program.home() + QStringLiteral("/shots");
    }

    static QStringList leftovers(const Program& program)
    {
        return QDir(program.home())
            .entryList({QStringLiteral("lockkeeper-*")}, QDir::AllEntries | QDir::Hidden);
    }

    // Qt's offscreen platform says of every dialog what it cannot do.
    static QByteArrayList complaints(Program& program)
    {
        QByteArrayList lines = program.err().split('\n');
        lines.removeIf([](const QByteArray& line) {
            return line.isEmpty() || line.contains("This plugin does not support");
        });
        return lines;
    }

    // On the demo's own server a step is taken, too.
    static void checkPictures(const QString& folder, bool ofDemo)
    {
        QStringList subjects;
        for (const char* board : {"alerts", "findings", "journal", "limiters", "locks", "overview",
                                  "patterns", "queues", "server", "tokens"})
            subjects << QLatin1String(board);
        if (ofDemo)
            subjects << QStringLiteral("plan") << QStringLiteral("receipt");
        subjects.sort();
        QStringList expected;
        for (const QString& subject : subjects) {
            for (const char* theme : {"dark", "light"})
                expected << QStringLiteral("%1-%2.png").arg(subject, QLatin1String(theme));
        }
        QCOMPARE(QDir(folder).entryList(QDir::Files, QDir::Name), expected);
        QSet<QByteArray> different;
        for (const QString& name : expected) {
            const QImage image(QDir(folder).filePath(name));
            QCOMPARE(image.size(), QSize(1280, 800));
            QSet<QRgb> colors;
            qint64 light = 0;
            for (int y = 0; y < image.height(); y += 2) {
                for (int x = 0; x < image.width(); x += 2) {
                    colors.insert(image.pixel(x, y));
                    light += qGray(image.pixel(x, y));
                }
            }
            QVERIFY2(colors.size() > 50, qPrintable(name));
            const bool dark = light / (image.width() / 2 * (image.height() / 2)) < 128;
            QVERIFY2(dark == name.contains(QStringLiteral("dark")), qPrintable(name));
            different.insert(
                QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes()));
        }
        QCOMPARE(different.size(), expected.size());
    }
};

LK_TEST(TestScreenshots);
#include "tst_screenshots.moc"
