// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/consoleinvocation.h"
#include "tests/support/testprogram.h"

#include "backend/text/errortext.h"

#include <QTest>

using namespace lk;
using Mode = ConsoleInvocation::Mode;

namespace {

Result<ConsoleInvocation> parse(const char* line, const char* password = "")
{
    return parseConsoleArguments(
        QString::fromLatin1(line).split(QLatin1Char(' '), Qt::SkipEmptyParts),
        QString::fromLatin1(password));
}

} // namespace

Q_DECLARE_METATYPE(lk::ConsoleInvocation::Mode)

class TestConsoleInvocation : public QObject
{
    Q_OBJECT

private slots:
    void takesEveryForm_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<Mode>("mode");
        QTest::addColumn<QString>("endpoint"); // empty: no address
        QTest::addColumn<bool>("demo");
        const auto row = [](const char* line, Mode mode, const char* endpoint, bool demo = false) {
            QTest::newRow(line) << QByteArray(line) << mode << QString::fromLatin1(endpoint)
                                << demo;
        };
        row("", Mode::Window, "");
        row("--demo", Mode::Window, "", true);
        row("--demo --cluster", Mode::Window, "", true);
        row("redis://h", Mode::Window, "h:6379/0");
        row("h:7000", Mode::Window, "h:7000/0");
        row("/tmp/r.sock", Mode::Window, "/tmp/r.sock/0");
        row("--config f.toml redis://h/2 --theme dark", Mode::Window, "h:6379/2");
        row("--team-file t.toml redis://h", Mode::Window, "h:6379/0");
        row("--store incident.db redis://h", Mode::Window, "h:6379/0");
        row("screenshots redis://h shots", Mode::Screenshots, "h:6379/0");
        row("screenshots --demo shots", Mode::Screenshots, "", true);
        row("screenshots shots --demo", Mode::Screenshots, "", true);
        row("--demo screenshots shots", Mode::Screenshots, "", true);
        row("--theme dark screenshots --demo shots", Mode::Screenshots, "", true);
        row("screenshots shots --print-snapshot --demo", Mode::Screenshots, "", true);
        row("screenshots redis://h shots --print-snapshot", Mode::Screenshots, "h:6379/0");
        row("--help", Mode::Help, "");
        row("-h", Mode::Help, "");
        row("screenshots --help", Mode::Help, "");
        row("--version", Mode::Version, "");
    }

    void takesEveryForm()
    {
        QFETCH(QByteArray, line);
        QFETCH(Mode, mode);
        QFETCH(QString, endpoint);
        QFETCH(bool, demo);
        const Result<ConsoleInvocation> invocation = parse(line.constData());
        QVERIFY2(invocation, invocation ? "" : qPrintable(errorText(invocation.error())));
        QCOMPARE(invocation->mode, mode);
        QCOMPARE(invocation->url ? invocation->url->endpoint() : QString(), endpoint);
        QCOMPARE(invocation->demo, demo);
        QCOMPARE(invocation->cluster, line.contains("--cluster"));
        QCOMPARE(invocation->teamFile,
                 line.contains("--team-file") ? QStringLiteral("t.toml") : QString());
        QCOMPARE(invocation->storeFile,
                 line.contains("--store") ? QStringLiteral("incident.db") : QString());
        QCOMPARE(invocation->printSnapshot, line.contains("--print-snapshot"));
        if (mode == Mode::Screenshots)
            QCOMPARE(invocation->folder, QStringLiteral("shots"));
        if (mode == Mode::Help)
            QCOMPARE(invocation->help.contains(QStringLiteral("--print-snapshot")),
                     line.contains("screenshots"));
    }

    void refusesWrongUse_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* line, const char* said) {
            QTest::newRow(line) << QByteArray(line) << QString::fromLatin1(said);
        };
        row("--nonsense", "Unknown option --nonsense; lockkeeper-console --help");
        row("redis://h --format json", "Unknown option --format");
        row("redis://h --print-snapshot", "Unknown option --print-snapshot");
        row("redis://h --config", "--config needs a value");
        row("--theme pink", "light or dark");
        row("screenshots redis://h", "folder");
        row("screenshots --demo", "folder");
        row("screenshots --demo redis://h", "leave the address out");
        row("screenshots redis://h shots --demo", "leave the address out");
        row("screenshots redis://h shots more", "Unexpected argument more");
        row("--demo redis://h", "--demo");
        row("--demo --store incident.db", "leave --store out");
        row("screenshots redis://h shots --store incident.db", "Unknown option --store");
        row("redis://h redis://i", "Unexpected argument redis://i");
        row("redis://h --cluster", "--cluster needs --demo");
        row("http://h", "redis://");
    }

    void refusesWrongUse()
    {
        QFETCH(QByteArray, line);
        QFETCH(QString, said);
        const Result<ConsoleInvocation> invocation = parse(line.constData());
        QVERIFY(!invocation);
        QVERIFY2(errorText(invocation.error()).contains(said),
                 qPrintable(errorText(invocation.error())));
    }

    void takesThePasswordFromTheVariable()
    {
        QCOMPARE(parse("redis://ann@h", "s3cret")->url->password, QStringLiteral("s3cret"));
        QCOMPARE(parse("ann:own@h", "s3cret")->url->password, QStringLiteral("own"));
        QVERIFY(!parse("--demo", "s3cret")->url);
    }

    // An error ends up on the terminal and in logs.
    void neverRepeatsAPassword_data()
    {
        QTest::addColumn<QByteArray>("line");
        for (const char* line : {"redis://ann:s3cret@h:x", "--demo redis://ann:s3cret@h",
                                 "redis://h redis://ann:s3cret@h", "redis://h ann:s3cret@i",
                                 "screenshots redis://h f redis://ann:s3cret@h",
                                 "screenshots --demo f redis://ann:s3cret@h",
                                 "screenshots --demo redis://ann:s3cret@h"})
            QTest::newRow(line) << QByteArray(line);
    }

    void neverRepeatsAPassword()
    {
        QFETCH(QByteArray, line);
        const Result<ConsoleInvocation> invocation = parse(line.constData());
        QVERIFY(!invocation);
        const QString said = errorText(invocation.error()) + errorAdvice(invocation.error());
        QVERIFY2(!said.contains(QStringLiteral("s3cret")), qPrintable(said));
    }
};

LK_TEST(TestConsoleInvocation);
#include "tst_consoleinvocation.moc"
