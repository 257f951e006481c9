// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/invocation.h"
#include "backend/text/errortext.h"
#include "tests/support/testprogram.h"

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

// The first is what commands on one server read.
QStringList endpoints(const Invocation& invocation)
{
    QStringList all;
    for (const ServerUrl& url : invocation.urls)
        all << url.endpoint();
    return all.value(0) == invocation.url.endpoint() ? all : QStringList();
}

} // namespace

Q_DECLARE_METATYPE(lk::Invocation::Mode)

// The arguments that `lockkeeper` itself takes, and those that it leaves to the console.
class TestInvocation : public QObject
{
    Q_OBJECT

private slots:
    void takesEveryForm_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<Mode>("mode");
        QTest::addColumn<QString>("endpoint"); // of what reads a server
        const auto row = [](const char* line, Mode mode, const char* endpoint = "") {
            QTest::newRow(line) << QByteArray(line) << mode << QString::fromLatin1(endpoint);
        };
        row("snapshot redis://h", Mode::Snapshot, "h:6379/0");
        row("snapshot h:7000", Mode::Snapshot, "h:7000/0");
        row("snapshot /tmp/r.sock", Mode::Snapshot, "/tmp/r.sock/0");
        row("--format json snapshot redis://h", Mode::Snapshot, "h:6379/0");
        row("snapshot --config=f.toml redis://h --format=text", Mode::Snapshot, "h:6379/0");
        row("check redis://h/2 --fail-on error", Mode::Check, "h:6379/2");
        row("--fail-on=error --timeout 5s check redis://h", Mode::Check, "h:6379/0");
        row("check --format prometheus redis://h", Mode::Check, "h:6379/0");
        row("snapshot redis://h redis://i", Mode::Snapshot, "h:6379/0 i:6379/0");
        row("check h:1 --fail-on error h:2 h:2/1", Mode::Check, "h:1/0 h:2/0 h:2/1");
        row("check --connection redis://h", Mode::Check, "h:6379/0");
        row("redlock --config f.toml", Mode::Redlock);
        row("redlock release lock:a --owner w --dry-run", Mode::Redlock);
        row("redlock undo g0123456789ab --yes", Mode::Redlock);
        row("help redlock", Mode::Help);
        row("--help", Mode::Help);
        row("-h", Mode::Help);
        row("--help --demo", Mode::Help);
        row("--version", Mode::Version);
        row("snapshot --help", Mode::Help);
        row("snapshot --nonsense --help", Mode::Help);
        row("help", Mode::Help);
        row("help help", Mode::Help);
        row("help check", Mode::Help);
        row("help act", Mode::Act);
        row("help act lock release", Mode::Act);
        row("act h journal", Mode::Act);
        row("", Mode::Console);
        row("--demo", Mode::Console);
        row("redis://h", Mode::Console);
        row("--config f.toml redis://h/2 --theme dark", Mode::Console);
        row("--config snapshot redis://h", Mode::Console); // a file of that name
        row("screenshots redis://h shots", Mode::Console);
        row("screenshots shots --demo", Mode::Console);
        row("--demo screenshots shots", Mode::Console);
        row("screenshots --help", Mode::Console);
        row("help screenshots", Mode::Console);
    }

    void takesEveryForm()
    {
        QFETCH(QByteArray, line);
        QFETCH(Mode, mode);
        QFETCH(QString, endpoint);
        const Result<Invocation> invocation = parse(line.constData());
        QVERIFY2(invocation, invocation ? "" : qPrintable(errorText(invocation.error())));
        QCOMPARE(invocation->mode, mode);
        if (!endpoint.isEmpty())
            QCOMPARE(endpoints(*invocation), endpoint.split(QLatin1Char(' ')));
        const bool help = line.startsWith("help");
        if (mode == Mode::Console && !help) // it is told what was given
            QCOMPARE(invocation->words, words(line.constData()));
        if (help && mode != Mode::Help)
            QCOMPARE(invocation->words.back(), QStringLiteral("--help"));
    }

    void refusesWrongUse_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* line, ErrorCode code, const char* said) {
            QTest::newRow(line) << QByteArray(line) << int(code) << QString::fromLatin1(said);
        };
        row("--nonsense", ErrorCode::BadArgument, "Unknown option --nonsense; lockkeeper --help");
        row("-x", ErrorCode::BadArgument, "Unknown option -x;");
        row("snapshot redis://h --nonsense=1", ErrorCode::BadArgument,
            "Unknown option --nonsense; lockkeeper snapshot --help");
        row("--config", ErrorCode::BadArgument, "--config needs a value");
        row("snapshot redis://h --format", ErrorCode::BadArgument, "--format needs a value");
        row("snapshot redis://h --reveal=yes", ErrorCode::BadArgument, "--reveal takes no value");
        row("snapshot redis://h --format xml", ErrorCode::BadArgument, "text or json");
        row("snapshot redis://h --format=", ErrorCode::BadArgument, "text or json");
        row("snapshot redis://h --format prometheus", ErrorCode::BadArgument, "is only for check");
        row("snapshot redis://h --fail-on error", ErrorCode::BadArgument,
            "Unknown option --fail-on");
        row("snapshot redis://h --theme dark", ErrorCode::BadArgument, "Unknown option --theme");
        row("check redis://h --fail-on nothing", ErrorCode::BadArgument, "info, warning or error");
        row("check redis://h --timeout soon", ErrorCode::BadArgument, "duration up to 24h");
        row("snapshot redis://h --sample few", ErrorCode::BadArgument,
            "a number of keys, at least 1000");
        row("snapshot redis://h --sample 10", ErrorCode::BadArgument,
            "a number of keys, at least 1000");
        row("snapshot redis://h --max-memory 1", ErrorCode::BadArgument, "megabytes, at least 50");
        row("check redis://h --pace slow", ErrorCode::BadArgument, "polite, normal or fast");
        row("check redis://h --sample 5000", ErrorCode::BadArgument, "Unknown option --sample");
        row("snapshot", ErrorCode::BadArgument, "snapshot needs an address");
        row("check --fail-on error", ErrorCode::BadArgument, "check needs an address");
        row("--demo snapshot", ErrorCode::BadArgument, "Unknown option --demo");
        row("check --connection h:1 h:2", ErrorCode::BadArgument, "takes one address");
        row("snapshot --at -2h h:1 h:2", ErrorCode::BadArgument, "--at takes one address");
        row("snapshot --at -2h --sample 5000 h:1", ErrorCode::BadArgument, "leave out --sample");
        row("check --connection --format prometheus h:1", ErrorCode::BadArgument, "text or json");
        row("redlock redis://h", ErrorCode::BadArgument, "Unexpected argument redis://h");
        row("redlock release lock:a", ErrorCode::BadArgument, "redlock release needs --owner");
        row("redlock release a b --owner w", ErrorCode::BadArgument, "Unexpected argument b");
        row("redlock --yes", ErrorCode::BadArgument, "--yes belongs to redlock release");
        row("redlock undo g1 --owner w", ErrorCode::BadArgument, "--owner belongs to redlock");
        row("acl redis://h redis://i", ErrorCode::BadArgument, "Unexpected argument redis://i");
        row("snapshot redis://h redis://h/0", ErrorCode::BadArgument, "h:6379/0 is given twice");
        row("check redis://h http://i", ErrorCode::BadUrl, "redis://");
        row("help nonsense", ErrorCode::BadArgument, "Unknown command nonsense");
        row("snapshot http://h", ErrorCode::BadUrl, "redis://");
        row("snapshot redis://h:0", ErrorCode::BadUrl, "port");
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
        const Result<Invocation> invocation = parse("snapshot --first --second");
        QVERIFY(!invocation);
        QVERIFY(invocation.error().detail.contains(QStringLiteral("--first")));
    }

    void takesItsOptions()
    {
        const Result<Invocation> invocation =
            parse("check redis://h --config a.toml --format json --fail-on=info --timeout 2s "
                  "--allow-partial --reveal");
        QVERIFY(invocation);
        QCOMPARE(invocation->configFile, QStringLiteral("a.toml"));
        QCOMPARE(invocation->format, Invocation::Format::Json);
        QCOMPARE(invocation->failOn, Finding::Severity::Info);
        QCOMPARE(invocation->timeoutMs, 2000);
        QVERIFY(invocation->allowPartial);
        QCOMPARE(invocation->codes, Codes::Revealed);
        const Result<Invocation> sample =
            parse("snapshot redis://h --sample 20000 --max-memory 400 --pace polite");
        QVERIFY(sample);
        QCOMPARE(sample->sampleKeys, 20'000);
        QCOMPARE(sample->maxMemory, 400LL * 1024 * 1024);
        QVERIFY(sample->pace == ScanPace::Polite);
        const Result<Invocation> preset = parse("check redis://h");
        QCOMPARE(preset->failOn, Finding::Severity::Warning);
        QCOMPARE(preset->timeoutMs, 60'000);
        QVERIFY(!preset->pace);
        QVERIFY(!preset->allowPartial);
    }

    void takesThePasswordFromTheVariable()
    {
        QCOMPARE(parse("check redis://ann@h", "s3cret")->url.password, QStringLiteral("s3cret"));
        QCOMPARE(parse("check redis://ann:own@h", "s3cret")->url.password, QStringLiteral("own"));
        // It is of one user on one host: no other server gets it.
        QStringList passwords;
        const Result<Invocation> several = parse(
            "check redis://ann@h redis://ann@h:7000 redis://bob@h:7001 redis://ann@i", "s3cret");
        QVERIFY(several);
        for (const ServerUrl& url : several->urls)
            passwords << url.password;
        QCOMPARE(passwords,
                 (QStringList{QStringLiteral("s3cret"), QStringLiteral("s3cret"), {}, {}}));
    }

    // An error ends up on the terminal and in logs.
    void neverRepeatsAPassword_data()
    {
        QTest::addColumn<QByteArray>("line");
        for (const char* line :
             {"check redis://ann:s3cret@h:x", "check redis://ann:s3cret@h/x",
              "check http://ann:s3cret@h", "--redis://ann:s3cret@h", "acl redis://ann:s3cret@h x",
              "check redis://h redis://ann:s3cret@h", "check redis://h ann:s3cret@h"})
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
        for (const QString& name : commandNames())
            QVERIFY2(commandHelp().contains(QStringLiteral("lockkeeper ") + name),
                     qPrintable(name));
        for (const char* word : {"--demo", "LOCKKEEPER_PASSWORD", "Exit codes"})
            QVERIFY2(commandHelp().contains(QLatin1String(word)), word);
        QVERIFY(commandHelp().endsWith(QLatin1Char('\n')));
        for (const char* command : {"snapshot", "check"}) {
            const QString help = commandHelp(QLatin1String(command));
            for (const CommandOption& option : commandSpec(QLatin1String(command)).options)
                QVERIFY2(help.contains(QStringLiteral("  --") + option.name),
                         qPrintable(option.name));
            QVERIFY(help.endsWith(QLatin1Char('\n')));
            for (const QString& line : help.split(QLatin1Char('\n')))
                QVERIFY2(line.size() <= 100, qPrintable(line));
        }
    }
};

LK_TEST(TestInvocation);
#include "tst_invocation.moc"
