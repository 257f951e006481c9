// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/kind.h"
#include "backend/redis/permissions/aclrules.h"
#include "backend/redis/permissions/permissiontexts.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace lk;
using namespace Qt::StringLiterals;

namespace {

const QString root = QStringLiteral(LOCKKEEPER_SOURCES);

struct SourceFile
{
    QString path; ///< "backend/layouts/probe/probe.cpp"
    QString text; ///< without comments
};

std::vector<SourceFile> sourcesOf(const QString& folder, const QString& suffix,
                                  const QString& comment)
{
    const QRegularExpression rest(comment + u".*"_s);
    std::vector<SourceFile> all;
    QDirIterator files(root + folder, {u"*."_s + suffix}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly))
            all.push_back(
                {file.fileName().mid(root.size()), QString::fromUtf8(file.readAll()).remove(rest)});
    }
    return all;
}

// What may send commands in the console's name: not the demo, and not what only names commands.
std::vector<SourceFile> sendingSources()
{
    std::vector<SourceFile> all = sourcesOf(u"backend/"_s, u"cpp"_s, u"//"_s);
    std::erase_if(all, [](const SourceFile& s) {
        return s.path.contains(u"/demo/"_s) || s.path.contains(u"redis/permissions/"_s) ||
               s.path.endsWith(u"protocol/command.cpp"_s) ||
               s.path.endsWith(u"topology/routingkey.cpp"_s) ||
               s.path.endsWith(u"server/capabilities.cpp"_s);
    });
    return all;
}

/// "GET", "CONFIG GET": and in which files.
using Named = std::map<QByteArray, std::set<QString>>;

// Titles of columns, and what Sentinels are asked: they have users of their own.
bool isOtherwise(const QByteArray& words)
{
    return words == "TTL" || words.startsWith("SENTINEL ");
}

Named namedReads()
{
    static const QRegularExpression words(
        u"\"([A-Z_]{3,})\"(?:\\)?,\\s*(?:QByteArrayLiteral\\()?\"([A-Z-]{2,})\")?"_s);
    Named named;
    for (const SourceFile& source : sendingSources()) {
        auto matches = words.globalMatch(source.text);
        while (matches.hasNext()) {
            const auto match = matches.next();
            const QByteArray name = match.captured(1).toLatin1();
            const QByteArray second = match.captured(2).toLatin1();
            const bool alone = isReadOnly({name});
            const bool both = !alone && !second.isEmpty() && isReadOnly({name, second});
            if (alone && !isOtherwise(name))
                named[name].insert(source.path);
            else if (both && !isOtherwise(name + ' ' + second))
                named[name + ' ' + second].insert(source.path);
        }
    }
    return named;
}

// Of scripts: what call() and pcall() are given, what they ask for, and what they choose between.
Named namedInScripts()
{
    static const QRegularExpression words(
        u"(?:call|may)\\(\\s*'([A-Z]+)'(?:,\\s*'([A-Z]+)')?|'([A-Z]+)' or '([A-Z]+)'"_s);
    Named named;
    for (const SourceFile& source : sourcesOf(u"lua/actions/"_s, u"lua"_s, u"--"_s)) {
        auto matches = words.globalMatch(source.text);
        while (matches.hasNext()) {
            const auto match = matches.next();
            const QByteArray name = match.captured(1).toLatin1();
            if (name == "MEMORY")
                named[name + ' ' + match.captured(2).toLatin1()].insert(source.path);
            else
                named[name].insert(source.path);
            for (const int choice : {3, 4})
                named[match.captured(choice).toLatin1()].insert(source.path);
        }
    }
    named.erase(QByteArray());
    return named;
}

QByteArray wordsOf(const SentCommand& command)
{
    return command.subcommand ? QByteArray(command.name) + ' ' + command.subcommand
                              : QByteArray(command.name);
}

const SentCommand* listed(const QByteArray& words)
{
    for (const std::span<const SentCommand> list : {readingCommands(), actingCommands()}) {
        for (const SentCommand& command : list) {
            if (wordsOf(command) == words)
                return &command;
        }
    }
    return nullptr;
}

std::optional<Kind> kindOfScript(const QString& path)
{
    static const std::vector<std::pair<QString, Kind>> starts{
        {u"limiter-"_s, Kind::Limiter},
        {u"redisson-free"_s, Kind::Limiter},
        {u"redisson-rate"_s, Kind::Limiter},
        {u"redisson-repair"_s, Kind::Limiter},
        {u"lock-"_s, Kind::Lock},
        {u"redisson-lock-"_s, Kind::Lock},
        {u"redisson-permit-"_s, Kind::Lock},
        {u"semaphore-"_s, Kind::Lock},
        {u"timestamp-lock-"_s, Kind::Lock},
        {u"unique-job-"_s, Kind::Lock},
        {u"queue-"_s, Kind::Queue},
        {u"token-"_s, Kind::Token},
    };
    const QString name = path.section(u'/', -1);
    for (const auto& [start, kind] : starts) {
        if (name.startsWith(start))
            return kind;
    }
    return std::nullopt;
}

bool isFor(const SentCommand& command, Kind kind)
{
    return ((command.kinds >> unsigned(kind)) & 1U) != 0;
}

} // namespace

/// The list that `lockkeeper acl` prints is what is sent: each way.
class TestSentCommands : public QObject
{
    Q_OBJECT

private slots:
    void whatIsNamedIsListed()
    {
        const Named named = namedReads();
        QVERIFY(named.size() > 40);
        for (const auto& [words, paths] : named)
            QVERIFY2(listed(words),
                     qPrintable(QString::fromLatin1(words) + u" in "_s + *paths.begin()));
    }

    void whatIsListedIsNamed()
    {
        QString all;
        for (const SourceFile& source : sendingSources())
            all += source.text;
        const Named scripts = namedInScripts();
        for (const std::span<const SentCommand> list : {readingCommands(), actingCommands()}) {
            for (const SentCommand& command : list) {
                const QByteArray words = wordsOf(command);
                QVERIFY2(all.contains(u'"' + QString::fromLatin1(command.name) + u'"') ||
                             scripts.contains(words),
                         words.constData());
            }
        }
    }

    void whatScriptsRunIsListed()
    {
        const Named named = namedInScripts();
        QVERIFY(named.size() > 40);
        for (const auto& [words, paths] : named) {
            const SentCommand* command = listed(words);
            QVERIFY2(command, words.constData());
            if (command->use != CommandUse::Writing)
                continue;
            for (const QString& path : paths) {
                const std::optional<Kind> kind = kindOfScript(path);
                QVERIFY2(!kind || isFor(*command, *kind),
                         qPrintable(QString::fromLatin1(words) + u' ' + path));
            }
        }
    }

    // Whatever is listed as lost names the kinds whose layouts read it.
    void kindsAreThoseOfTheLayouts()
    {
        static const std::vector<std::pair<QString, Kind>> folders{
            {u"backend/layouts/limiters/"_s, Kind::Limiter},
            {u"backend/layouts/locks/"_s, Kind::Lock},
            {u"backend/layouts/queues/"_s, Kind::Queue},
            {u"backend/layouts/tokens/"_s, Kind::Token},
            {u"backend/layouts/patterns/"_s, Kind::Pattern},
        };
        for (const auto& [words, paths] : namedReads()) {
            const SentCommand* command = listed(words);
            QVERIFY2(command, words.constData());
            if (command->use != CommandUse::Reading && command->use != CommandUse::Detecting)
                continue;
            for (const QString& path : paths) {
                for (const auto& [folder, kind] : folders) {
                    QVERIFY2(!path.startsWith(folder) || isFor(*command, kind),
                             qPrintable(QString::fromLatin1(words) + u' ' + path));
                }
            }
        }
    }

    void whatOfAClusterIsLostWithout_data()
    {
        QTest::addColumn<QByteArray>("words");
        QTest::addColumn<QString>("costs");
        QTest::newRow("nodes") << QByteArray("CLUSTER NODES") << u"slots are being migrated"_s;
        QTest::newRow("shards") << QByteArray("CLUSTER SHARDS") << u"nodes of a cluster have"_s;
        QTest::newRow("slots") << QByteArray("CLUSTER SLOTS") << u"other masters of a cluster"_s;
        QTest::newRow("asking") << QByteArray("ASKING") << u"slot that is being migrated"_s;
        QTest::newRow("readonly") << QByteArray("READONLY") << u"?cluster=no"_s;
    }

    void whatOfAClusterIsLostWithout()
    {
        QFETCH(QByteArray, words);
        QFETCH(QString, costs);
        const SentCommand* command = listed(words);
        QVERIFY(command);
        QVERIFY2(costText(*command).contains(costs), qPrintable(costText(*command)));
    }

    void listsAreSound()
    {
        std::set<QByteArray> seen;
        std::set<QByteArray> uses;
        for (const std::span<const SentCommand> list : {readingCommands(), actingCommands()}) {
            for (const SentCommand& command : list) {
                QVERIFY2(seen.insert(wordsOf(command)).second, command.name);
                QVERIFY(!costText(command).isEmpty());
                QVERIFY(!costText(command).contains(u"%1"_s));
                uses.insert(useId(command.use));
                const bool ofKinds = command.use == CommandUse::Writing ||
                                     command.use == CommandUse::Reading ||
                                     command.use == CommandUse::Detecting;
                QVERIFY2((command.kinds != 0) == ofKinds, command.name);
            }
        }
        QCOMPARE(uses.size(), size_t(CommandUse::Undoing) + 1);
        // A user who reads gets nothing that writes. The handshake's own are about the connection.
        for (const SentCommand& command : readingCommands()) {
            const bool own = command.use == CommandUse::KeepUnused ||
                             command.use == CommandUse::Database ||
                             command.name == QByteArray("READONLY");
            QVERIFY2(own || isReadOnly(sampleOf(command, "k")), command.name);
        }
    }

    void rules()
    {
        QCOMPARE(aclRule(*listed("CONFIG GET")), QByteArray("+config|get"));
        QCOMPARE(aclRule(*listed("ZRANGE")), QByteArray("+zrange"));
        QCOMPARE(sampleOf(*listed("GETRANGE"), "a b"), (Command{"GETRANGE", "a b", "0", "0"}));
        QCOMPARE(aclGrant("joe", {*listed("TYPE"), *listed("MEMORY USAGE")}),
                 QByteArray("ACL SETUSER joe +type +memory|usage"));
    }

    // What an old server refuses stands alone: the rest is taken.
    void newCommandsHaveLinesOfTheirOwn()
    {
        const QByteArrayList lines = aclLines(AclPurpose::Acting);
        for (const char* rule : {"+client|no-touch", "+hrandfield", "+acl|dryrun", "+lpos",
                                 "+pexpiretime", "+spublish"})
            QVERIFY2(lines.contains(QByteArray("ACL SETUSER lockkeeper ") + rule), rule);
        for (const QByteArray& line : lines) {
            QVERIFY(line.startsWith("ACL SETUSER lockkeeper "));
            QVERIFY2(line.size() <= 100, line.constData());
        }
        const QByteArray reading = aclLines(AclPurpose::Reading).join('\n');
        QVERIFY(!reading.contains("+del") && !reading.contains("+eval") && !reading.contains("&*"));
    }

    void onlyWhatTheVersionHas()
    {
        const auto has = [](const ServerVersion& server, const QByteArray& words) {
            const auto all = commandsFor(AclPurpose::Reading, server);
            return std::any_of(all.begin(), all.end(),
                               [&](const SentCommand& c) { return wordsOf(c) == words; });
        };
        const ServerVersion redis60{Flavour::Redis, QVersionNumber(6, 0, 16)};
        QVERIFY(has(redis60, "ACL WHOAMI") && !has(redis60, "ACL DRYRUN"));
        QVERIFY(!has(redis60, "HRANDFIELD") && has(redis60, "HSCAN"));
        QVERIFY(!has({Flavour::Redis, QVersionNumber(8, 0, 0)}, "CLIENT NO-TOUCH"));
        QVERIFY(has({Flavour::Redis, QVersionNumber(8, 4, 0)}, "CLIENT NO-TOUCH"));
        QVERIFY(has({}, "HRANDFIELD"));
    }
};

QTEST_GUILESS_MAIN(TestSentCommands)
#include "tst_sentcommands.moc"
