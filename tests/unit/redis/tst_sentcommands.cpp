// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/permissions/aclrules.h"
#include "backend/redis/permissions/permissiontexts.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace lk;
using namespace Qt::StringLiterals;

namespace {

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

} // namespace

/// The list that `lockkeeper acl` prints. .ci/sources compares it with what is sent.
class TestSentCommands : public QObject
{
    Q_OBJECT

private slots:
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

    // Commands that an old server refuses are on lines of their own: it accepts the others.
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

LK_TEST(TestSentCommands);
#include "tst_sentcommands.moc"
