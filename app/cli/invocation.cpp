// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/invocation.h"

#include "app/cli/commandoptions.h"
#include "app/cli/commands.h"
#include "app/cli/redlockwanted.h"
#include "backend/core/names/keyname.h"
#include "backend/text/time/duration.h"
#include "backend/text/time/moment.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QSet>

namespace lk {

namespace {

struct InvocationText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Invocation)
};

using Mode = Invocation::Mode;

tl::unexpected<Error> refused(const QString& detail)
{
    return failure(ErrorCode::BadArgument, detail);
}

// One of the words that an option may have; nothing: another one was given.
template<typename Value>
std::optional<Value> oneOf(const QString& word,
                           std::initializer_list<std::pair<const char*, Value>> all)
{
    for (const auto& [name, value] : all) {
        if (word == QLatin1String(name))
            return value;
    }
    return std::nullopt;
}

Result<void> readFormat(const CommandLine& line, Invocation& invocation)
{
    using Format = Invocation::Format;
    const QString word = line.value(QStringLiteral("format"));
    const auto format = oneOf<Format>(word, {{"", Format::Text},
                                             {"text", Format::Text},
                                             {"json", Format::Json},
                                             {"csv", Format::Csv},
                                             {"prometheus", Format::Prometheus}});
    if (format == Format::Csv && invocation.mode != Mode::History)
        return refused(InvocationText::tr("--format csv is only for history"));
    if (format == Format::Prometheus && invocation.mode != Mode::Check)
        return refused(InvocationText::tr("--format prometheus is only for check"));
    if (!format || (word.isEmpty() && line.isSet(QStringLiteral("format"))))
        return refused(InvocationText::tr(
            "--format takes text or json; check also takes prometheus, history csv"));
    invocation.format = *format;
    return {};
}

Result<void> readFailOn(const CommandLine& line, Invocation& invocation)
{
    using Severity = Finding::Severity;
    if (!line.isSet(QStringLiteral("fail-on")))
        return {};
    const auto severity = oneOf<Severity>(
        line.value(QStringLiteral("fail-on")),
        {{"info", Severity::Info}, {"warning", Severity::Warning}, {"error", Severity::Error}});
    if (!severity)
        return refused(InvocationText::tr("--fail-on takes info, warning or error"));
    invocation.failOn = *severity;
    return {};
}

Result<void> readTimeout(const CommandLine& line, Invocation& invocation)
{
    constexpr qint64 longest = 24LL * 3600 * 1000; // ms
    if (!line.isSet(QStringLiteral("timeout")))
        return {};
    const Result<qint64> ms = parseDuration(line.value(QStringLiteral("timeout")));
    if (!ms || *ms <= 0 || *ms > longest)
        return refused(InvocationText::tr("--timeout takes a duration up to 24h, such as 60s"));
    invocation.timeoutMs = int(*ms);
    return {};
}

Result<void> readPace(const CommandLine& line, Invocation& invocation)
{
    const Result<std::optional<ScanPace>> pace = paceOf(line);
    if (!pace)
        return tl::unexpected(pace.error());
    invocation.pace = *pace;
    return {};
}

Result<void> readSample(const CommandLine& line, Invocation& invocation)
{
    constexpr qint64 leastKeys = 1000;
    constexpr qint64 leastMb = 50;
    constexpr qint64 most = 1'000'000'000;
    const auto read = [&](const char* option, qint64 least) -> std::optional<qint64> {
        const QString name = QLatin1String(option);
        if (!line.isSet(name))
            return 0;
        bool isNumber = false;
        const qint64 number = line.value(name).toLongLong(&isNumber);
        return isNumber && number >= least && number <= most ? std::optional(number) : std::nullopt;
    };
    const std::optional<qint64> keys = read("sample", leastKeys);
    if (!keys)
        return refused(
            InvocationText::tr("--sample takes a number of keys, at least %1").arg(leastKeys));
    const std::optional<qint64> megabytes = read("max-memory", leastMb);
    if (!megabytes)
        return refused(InvocationText::tr("--max-memory takes a number of megabytes, at least %1")
                           .arg(leastMb));
    invocation.sampleKeys = *keys;
    invocation.maxMemory = *megabytes * 1024 * 1024;
    return {};
}

Result<void> readAddress(const CommandLine& line, Invocation& invocation)
{
    if (line.words.isEmpty())
        return refused(
            InvocationText::tr("%1 needs an address, as in: lockkeeper %1 redis://127.0.0.1:6379")
                .arg(line.command));
    const bool takesSeveral = invocation.mode == Mode::Snapshot || invocation.mode == Mode::Check ||
                              invocation.mode == Mode::Record;
    const qsizetype addresses = takesSeveral ? line.words.size() : 1;
    QSet<QString> given;
    for (const QString& word : line.words.mid(0, addresses)) {
        const Result<ServerUrl> url = parseServerUrl(word);
        if (!url)
            return tl::unexpected(url.error());
        const auto known = given.size();
        given.insert(url->endpoint()); // the reports are distinguished by it
        if (given.size() == known)
            return refused(InvocationText::tr("%1 is given twice").arg(url->endpoint()));
        invocation.urls.push_back(*url);
    }
    const qsizetype most = invocation.mode == Mode::Jobs ? 2 : addresses;
    if (line.words.size() > most)
        return tl::unexpected(unexpectedArgument(line.words[most]));
    invocation.url = invocation.urls.front();
    return {};
}

// The password goes to the first address that came without one, and to those of the same user on
// the same host.
void addPassword(Invocation& invocation, const QString& password)
{
    const auto first = std::find_if(invocation.urls.begin(), invocation.urls.end(),
                                    [](const ServerUrl& url) { return url.password.isEmpty(); });
    const ServerUrl whose = first == invocation.urls.end() ? invocation.url : *first;
    const auto add = [&](ServerUrl& url) {
        if (url.password.isEmpty() && url.user == whose.user && url.host == whose.host &&
            url.sshJump == whose.sshJump)
            url.password = password;
    };
    add(invocation.url);
    for (ServerUrl& url : invocation.urls)
        add(url);
}

Result<void> readJobsWanted(const CommandLine& line, Invocation& invocation)
{
    constexpr qint64 mostJobs = 1000;
    if (line.words.size() < 2)
        return refused(
            InvocationText::tr("jobs needs an address and a queue, as in: lockkeeper jobs "
                               "redis://127.0.0.1:6379 email"));
    JobsWanted& jobs = invocation.jobs;
    jobs.queue = bytesFromDisplay(line.words[1]);
    jobs.state = bytesFromDisplay(line.value(QStringLiteral("state")));
    jobs.grep = line.value(QStringLiteral("grep"));
    jobs.payloads = line.isSet(QStringLiteral("reveal"));
    for (const char* option : {"state", "grep"}) {
        const QString name = QLatin1String(option);
        if (line.isSet(name) && line.value(name).trimmed().isEmpty())
            return refused(InvocationText::tr("--%1 must not be empty").arg(name));
    }
    if (!line.isSet(QStringLiteral("limit")))
        return {};
    bool isNumber = false;
    jobs.limit = line.value(QStringLiteral("limit")).toLongLong(&isNumber);
    if (!isNumber || jobs.limit < 1 || jobs.limit > mostJobs)
        return refused(InvocationText::tr("--limit takes a number from 1 to %1").arg(mostJobs));
    return {};
}

Result<qint64> readMoment(const CommandLine& line, const QString& option, qint64 otherwiseMs,
                          qint64 nowMs)
{
    if (!line.isSet(option))
        return otherwiseMs;
    const Result<qint64> ms = parseMoment(line.value(option), nowMs);
    return ms ? ms : refused(QStringLiteral("--%1: %2").arg(option, ms.error().detail));
}

Result<void> readAt(const CommandLine& line, Invocation& invocation)
{
    const QString option = QStringLiteral("at");
    if (!line.isSet(option))
        return {};
    const Result<qint64> at = readMoment(line, option, 0, QDateTime::currentMSecsSinceEpoch());
    if (!at)
        return tl::unexpected(at.error());
    invocation.at = line.value(option);
    if (invocation.urls.size() > 1)
        return refused(InvocationText::tr("--at takes one address"));
    if (invocation.sampleKeys > 0 || invocation.maxMemory > 0)
        return refused(InvocationText::tr(
            "--at prints what was recorded; leave out --sample and --max-memory"));
    return {};
}

Result<void> readConnection(const CommandLine& line, Invocation& invocation)
{
    invocation.allowPartial = line.isSet(QStringLiteral("allow-partial"));
    invocation.connectionOnly = line.isSet(QStringLiteral("connection"));
    if (invocation.connectionOnly && invocation.format == Invocation::Format::Prometheus)
        return refused(InvocationText::tr("--connection takes --format text or json"));
    if (invocation.connectionOnly && invocation.urls.size() > 1)
        return refused(InvocationText::tr("--connection takes one address"));
    return {};
}

Result<void> readLayouts(const CommandLine& line, Invocation& invocation)
{
    invocation.tryLayout = line.value(QStringLiteral("try"));
    const bool checks = line.isSet(QStringLiteral("check"));
    if (!invocation.tryLayout.isEmpty())
        return checks ? refused(InvocationText::tr("--try cannot be used with --check"))
                      : readAddress(line, invocation);
    invocation.words = line.words;
    if (checks && invocation.words.isEmpty())
        return refused(InvocationText::tr("--check needs a file, as in: lockkeeper layouts --check "
                                          "limiter.toml"));
    if (!checks && !invocation.words.isEmpty())
        return tl::unexpected(unexpectedArgument(invocation.words.front()));
    return {};
}

Result<void> readAcl(const CommandLine& line, Invocation& invocation)
{
    invocation.acts = line.isSet(QStringLiteral("act"));
    invocation.ofSentinel = line.isSet(QStringLiteral("sentinel"));
    invocation.hasUrl = !line.words.isEmpty();
    if (invocation.ofSentinel && (invocation.acts || invocation.hasUrl))
        return refused(InvocationText::tr("--sentinel cannot be used with --act or with a URL"));
    return invocation.hasUrl ? readAddress(line, invocation) : Result<void>();
}

Result<void> readRedlock(const CommandLine& line, Invocation& invocation)
{
    const Result<RedlockWanted> wanted = readRedlockWanted(line);
    if (!wanted)
        return tl::unexpected(wanted.error());
    invocation.redlock = *wanted;
    return {};
}

Result<void> readRecord(const CommandLine& line, Invocation& invocation)
{
    constexpr qint64 longest = 24LL * 24 * 3600 * 1000; // ms; a timer takes no more
    invocation.listen = line.value(QStringLiteral("listen"));
    invocation.listenPasswordFile = line.value(QStringLiteral("listen-password-file"));
    if (!invocation.listenPasswordFile.isEmpty() && invocation.listen.isEmpty())
        return refused(InvocationText::tr("--listen-password-file needs --listen"));
    invocation.testNotify = line.value(QStringLiteral("test-notify"));
    if (line.isSet(QStringLiteral("test-notify"))) // which concerns no server
        return invocation.testNotify.isEmpty()
                   ? refused(InvocationText::tr("--test-notify takes the name of a target"))
                   : Result<void>();
    if (const Result<void> done = readAddress(line, invocation); !done)
        return done;
    if (!line.isSet(QStringLiteral("for")))
        return {};
    const Result<qint64> ms = parseDuration(line.value(QStringLiteral("for")));
    if (!ms || *ms > longest)
        return refused(InvocationText::tr("--for takes a duration up to 24d, such as 10m"));
    invocation.forMs = *ms;
    return {};
}

Result<void> readHistory(const CommandLine& line, Invocation& invocation)
{
    constexpr qint64 day = 24LL * 3600 * 1000; // ms
    if (line.words.isEmpty())
        return refused(
            InvocationText::tr("history needs a name, as in: lockkeeper history lock:invoice"));
    if (line.words.size() > 1)
        return tl::unexpected(unexpectedArgument(line.words[1]));
    invocation.historyOf = line.words.front();
    const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
    const Result<qint64> to = readMoment(line, QStringLiteral("to"), nowMs, nowMs);
    if (!to)
        return tl::unexpected(to.error());
    const Result<qint64> from = readMoment(line, QStringLiteral("from"), *to - day, nowMs);
    if (!from)
        return tl::unexpected(from.error());
    if (*from >= *to)
        return refused(InvocationText::tr("--from must be before --to"));
    invocation.from = line.value(QStringLiteral("from"));
    invocation.to = line.value(QStringLiteral("to"));
    invocation.deployment = line.value(QStringLiteral("deployment"));
    return {};
}

// The commands with what each reads besides the options that mean the same in all.
struct CommandReader
{
    const char* name;
    Mode mode;
    std::vector<Result<void> (*)(const CommandLine&, Invocation&)> reads;
};

const CommandReader* readerOf(const QString& command)
{
    static const CommandReader all[]{
        {"snapshot", Mode::Snapshot, {readAddress, readAt}},
        {"check", Mode::Check, {readAddress, readConnection}},
        {"jobs", Mode::Jobs, {readAddress, readJobsWanted}},
        {"layouts", Mode::Layouts, {readLayouts}},
        {"acl", Mode::Acl, {readAcl}},
        {"redlock", Mode::Redlock, {readRedlock}},
        {"record", Mode::Record, {readRecord}},
        {"history", Mode::History, {readHistory}},
    };
    const auto found = std::find_if(std::begin(all), std::end(all), [&](const CommandReader& c) {
        return command == QLatin1String(c.name);
    });
    return found == std::end(all) ? nullptr : found;
}

Result<Invocation> parseReader(const CommandReader& reader, const QString& command,
                               const QStringList& arguments)
{
    const Result<CommandLine> line = parseCommand(commandSpec(command), arguments);
    if (!line)
        return tl::unexpected(line.error());
    if (line->isSet(QStringLiteral("help")))
        return Invocation{Mode::Help, command};
    Invocation invocation{reader.mode};
    invocation.configFile = line->value(QStringLiteral("config"));
    invocation.layoutsFolder = line->value(QStringLiteral("layouts"));
    invocation.storeFile = line->value(QStringLiteral("store"));
    if (line->isSet(QStringLiteral("reveal")))
        invocation.codes = Codes::Revealed;
    std::vector reads{readFormat, readFailOn, readTimeout, readSample, readPace};
    reads.insert(reads.end(), reader.reads.begin(), reader.reads.end());
    for (const auto& read : reads) {
        if (const Result<void> done = read(*line, invocation); !done)
            return tl::unexpected(done.error());
    }
    return invocation;
}

// "help check" is "check --help".
Result<Invocation> parseHelp(const QStringList& about)
{
    const QString topic = about.value(0);
    if (!topic.isEmpty() && !commandNames().contains(topic))
        return refused(InvocationText::tr("Unknown command %1; --help lists all").arg(topic));
    Invocation invocation{Mode::Help, topic};
    if (topic == QLatin1String("act"))
        invocation.mode = Mode::Act;
    else if (topic == QLatin1String("screenshots"))
        invocation.mode = Mode::Console;
    if (topic == QLatin1String("help"))
        invocation.helpTopic.clear();
    invocation.words = about.mid(topic == QLatin1String("act") ? 1 : 0);
    invocation.words << QStringLiteral("--help");
    return invocation;
}

} // namespace

Result<Invocation> parseArguments(const QStringList& arguments, const QString& passwordVariable)
{
    const Result<CommandLine> line = parseCommand(programSpec(), arguments, WordsEndOptions::Yes);
    if (!line)
        return tl::unexpected(line.error());
    // Options may come before the command: it is the first of the words that are left.
    const QString command = line->words.value(0);
    QStringList rest = arguments;
    if (!line->words.isEmpty())
        rest.removeAt(arguments.size() - line->words.size());
    if (command == QLatin1String("act"))
        return Invocation{.mode = Mode::Act, .words = rest};
    if (command == QLatin1String("completion"))
        return Invocation{.mode = Mode::Completion, .words = rest};
    if (const CommandReader* reader = readerOf(command)) {
        Result<Invocation> invocation = parseReader(*reader, command, rest);
        if (invocation)
            addPassword(*invocation, passwordVariable);
        return invocation;
    }
    if (command == QLatin1String("help"))
        return parseHelp(line->words.mid(1));
    if (command != QLatin1String("screenshots") && line->isSet(QStringLiteral("help")))
        return Invocation{Mode::Help};
    if (line->isSet(QStringLiteral("version")))
        return Invocation{Mode::Version};
    return Invocation{.mode = Mode::Console, .words = arguments};
}

} // namespace lk
