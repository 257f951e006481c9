// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/helptext.h"
#include "app/cli/invocation.h"
#include "backend/text/errortext.h"

#include <QTest>

using namespace lk;

namespace {

QStringList words(const char* line)
{
    return QString::fromLatin1(line).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

Result<Invocation> parse(const char* line, const char* password = "")
{
    return parseArguments(words(line), QString::fromLatin1(password));
}

using Mode = Invocation::Mode;

} // namespace

Q_DECLARE_METATYPE(lk::Invocation::Mode)

class TestInvocation : public QObject
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
        row("", Mode::Console, "");
        row("--demo", Mode::Console, "", true);
        row("redis://h", Mode::Console, "h:6379/0");
        row("h:7000", Mode::Console, "h:7000/0");
        row("/tmp/r.sock", Mode::Console, "/tmp/r.sock/0");
        row("--config f.toml redis://h/2 --theme dark", Mode::Console, "h:6379/2");
        row("snapshot redis://h", Mode::Snapshot, "h:6379/0");
        row("--format json snapshot redis://h", Mode::Snapshot, "h:6379/0");
        row("snapshot --config=f.toml redis://h --format=text", Mode::Snapshot, "h:6379/0");
        row("screenshots redis://h shots", Mode::Screenshots, "h:6379/0");
        row("screenshots --demo shots", Mode::Screenshots, "", true);
        row("screenshots shots --demo", Mode::Screenshots, "", true);
        row("--demo screenshots shots", Mode::Screenshots, "", true);
        row("screenshots shots --print-snapshot --demo", Mode::Screenshots, "", true);
        row("screenshots redis://h shots --print-snapshot", Mode::Screenshots, "h:6379/0");
        row("--help", Mode::Help, "");
        row("-h", Mode::Help, "");
        row("--version", Mode::Version, "");
        row("snapshot --help", Mode::Help, "");
        row("help", Mode::Help, "");
        row("help check", Mode::Help, "");
        row("help act", Mode::Act, "");
    }

    void takesEveryForm()
    {
        QFETCH(QByteArray, line);
        QFETCH(Mode, mode);
        QFETCH(QString, endpoint);
        QFETCH(bool, demo);
        const Result<Invocation> invocation = parse(line.constData());
        QVERIFY2(invocation, invocation ? "" : qPrintable(errorText(invocation.error())));
        QCOMPARE(invocation->mode, mode);
        QCOMPARE(invocation->url ? invocation->url->endpoint() : QString(), endpoint);
        QCOMPARE(invocation->demo, demo);
        if (mode == Mode::Screenshots)
            QCOMPARE(invocation->directory, QStringLiteral("shots"));
    }

    void refusesWrongUse_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* line, ErrorCode code, const char* said) {
            QTest::newRow(line) << QByteArray(line) << int(code) << QString::fromLatin1(said);
        };
        row("--nonsense", ErrorCode::BadArgument, "--nonsense");
        row("--config", ErrorCode::BadArgument, "needs a value");
        row("--format", ErrorCode::BadArgument, "needs a value");
        row("snapshot redis://h --format xml", ErrorCode::BadArgument, "text or json");
        row("redis://h --format json", ErrorCode::BadArgument, "belongs to snapshot");
        row("--theme pink", ErrorCode::BadArgument, "light or dark");
        row("snapshot", ErrorCode::BadArgument, "needs an address");
        row("snapshot --demo", ErrorCode::BadArgument, "address");
        row("screenshots redis://h", ErrorCode::BadArgument, "folder");
        row("screenshots --demo", ErrorCode::BadArgument, "folder");
        row("screenshots --demo redis://h", ErrorCode::BadArgument, "leave the address out");
        row("screenshots redis://h shots --demo", ErrorCode::BadArgument, "leave the address out");
        row("screenshots redis://h shots more", ErrorCode::BadArgument, "too many");
        row("--demo redis://h", ErrorCode::BadArgument, "--demo");
        row("redis://h redis://i", ErrorCode::BadArgument, "too many");
        row("http://h", ErrorCode::BadUrl, "redis://");
        row("redis://h:0", ErrorCode::BadUrl, "port");
        row("snapshot redis://h/x", ErrorCode::BadUrl, "database");
    }

    void refusesWrongUse()
    {
        QFETCH(QByteArray, line);
        QFETCH(int, code);
        QFETCH(QString, said);
        const Result<Invocation> invocation = parse(line.constData());
        QVERIFY(!invocation);
        QCOMPARE(int(invocation.error().code), code);
        QVERIFY2(errorText(invocation.error()).contains(said),
                 qPrintable(errorText(invocation.error())));
    }

    void namesTheFirstThingThatIsWrong()
    {
        const Result<Invocation> invocation = parse("--first --second");
        QVERIFY(!invocation);
        QVERIFY(invocation.error().detail.contains(QStringLiteral("--first")));
    }

    void takesItsOptions()
    {
        const Result<Invocation> invocation =
            parse("snapshot redis://h --config a.toml --format json --environment production "
                  "--theme=light");
        QVERIFY(invocation);
        QCOMPARE(invocation->configFile, QStringLiteral("a.toml"));
        QCOMPARE(invocation->format, Invocation::Format::Json);
        QCOMPARE(invocation->environment, QStringLiteral("production"));
        QCOMPARE(invocation->theme, Invocation::Theme::Light);
        QVERIFY(!invocation->printSnapshot);
    }

    void takesThePasswordFromTheVariable()
    {
        QCOMPARE(parse("redis://ann@h", "s3cret")->url->password, QStringLiteral("s3cret"));
        QCOMPARE(parse("redis://ann:own@h", "s3cret")->url->password, QStringLiteral("own"));
        QVERIFY(!parse("--demo", "s3cret")->url);
    }

    // An error ends up on the terminal and in logs.
    void neverRepeatsAPassword_data()
    {
        QTest::addColumn<QByteArray>("line");
        for (const char* line :
             {"redis://ann:s3cret@h:x", "redis://ann:s3cret@h/x", "http://ann:s3cret@h",
              "--demo redis://ann:s3cret@h", "snapshot redis://ann:s3cret@h x",
              "redis://h redis://ann:s3cret@h", "screenshots redis://h f redis://ann:s3cret@h",
              "screenshots --demo f redis://ann:s3cret@h", "screenshots --demo redis://ann:s3cret@h"})
            QTest::newRow(line) << QByteArray(line);
    }

    void neverRepeatsAPassword()
    {
        QFETCH(QByteArray, line);
        const Result<Invocation> invocation = parse(line.constData());
        QVERIFY(!invocation);
        const QString said = errorText(invocation.error()) + errorAdvice(invocation.error());
        QVERIFY2(!said.contains(QStringLiteral("s3cret")), qPrintable(said));
    }

    void explainsItself()
    {
        for (const char* word :
             {"snapshot", "screenshots", "--demo", "--config", "--format", "--environment",
              "--theme", "--print-snapshot", "LOCKKEEPER_PASSWORD", "Exit codes"})
            QVERIFY2(helpText().contains(QLatin1String(word)), word);
        QVERIFY(helpText().endsWith(QLatin1Char('\n')));
        for (const QString& topic : helpTopics())
            QVERIFY2(helpText(topic).endsWith(QLatin1Char('\n')), qPrintable(topic));
        QCOMPARE(versionText(), QStringLiteral("lockkeeper " LOCKKEEPER_VERSION));
    }
};

QTEST_GUILESS_MAIN(TestInvocation)
#include "tst_invocation.moc"
