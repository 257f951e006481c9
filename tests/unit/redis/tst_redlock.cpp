// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/config.h"
#include "backend/config/redlockconfig.h"
#include "backend/findings/findings.h"
#include "backend/findings/findingtraits.h"
#include "backend/redis/redlock/redlock.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace lk;
using namespace Qt::StringLiterals;

class TestRedlock : public QObject
{
    Q_OBJECT

private slots:
    void judges_data();
    void judges();
    void counts();
    void findings_data();
    void findings();
    void whatPassesIsNoHazard_data();
    void whatPassesIsNoHazard();
    void keptFindingsAreExplained();
    void readsTheConfiguration();
    void refuses_data();
    void refuses();
};

// votes: "a:900" held by a for 900 ms, "a:-" without a TTL, "." free, "?" silent.
void TestRedlock::judges_data()
{
    QTest::addColumn<QString>("votes");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("id");
    const auto row = [](const char* name, const char* votes, const char* id, const char* says) {
        QTest::newRow(name) << QString::fromLatin1(votes) << QString::fromLatin1(says)
                            << QString::fromLatin1(id);
    };
    row("nobody", ". . .", "free", "free");
    row("all", "a:900 a:800 a:700", "held", "held by a on 3 of 3, valid for 790 ms");
    row("most, and one free", "a:900 . a:700", "held", "held by a on 2 of 3, valid for 691 ms");
    row("the quorum's last counts, not the first to expire", "a:900 a:10 a:800 a:700 .", "held",
        "held by a on 4 of 5, valid for 691 ms");
    row("a minority of another", "a:900 b:900 a:700", "held",
        "held by a on 2 of 3, valid for 691 ms; other owners on 1");
    row("without a TTL", "a:- a:- a:5", "held", "held by a on 3 of 3, no TTL");
    row("one without a TTL is no quorum", "a:- a:500 .", "held",
        "held by a on 2 of 3, valid for 493 ms");
    row("too few", "a:900 . . . .", "no-quorum", "no owner: a has 1 of 5, quorum 3");
    row("half of four is too few", "a:9 a:9 . .", "no-quorum", "no owner: a has 2 of 4, quorum 3");
    row("split", "a:900 b:900 c:900", "split",
        "no owner: split between owners; a has the most (1 of 3, quorum 2)");
    row("split in two", "a:9 b:9 a:9 b:9", "split",
        "no owner: split between owners; a has the most (2 of 4, quorum 3)");
    row("held although one is silent", "a:900 ? a:700", "held",
        "held by a on 2 of 3, valid for 691 ms; servers that do not answer: 1");
    row("the silent one decides", "a:900 ? .", "unknown",
        "unknown: a has 1 of 3; servers that do not answer: 1");
    row("the silent ones cannot make it a quorum", "a:9 ? . . .", "no-quorum",
        "no owner: a has 1 of 5, quorum 3; servers that do not answer: 1");
    row("free although one is silent", ". ? .", "free", "free; servers that do not answer: 1");
    row("most are silent", ". ? ?", "unknown", "unknown; servers that do not answer: 2");
}

namespace {

RedlockState judged(const QString& votes)
{
    std::vector<RedlockVote> all;
    const QStringList words = votes.split(u' ');
    for (const QString& word : words) {
        RedlockVote vote;
        if (word == u"?")
            vote.error = Error{ErrorCode::Refused, {}};
        vote.present = word.contains(u':');
        vote.owner = vote.present ? word.section(u':', 0, 0).toLatin1() : QByteArray();
        const QString ttl = word.section(u':', 1);
        vote.ttlMs = ttl == u"-" ? -1 : ttl.toLongLong();
        all.push_back(vote);
    }
    const size_t quorum = all.size() / 2 + 1;
    return countVotes("lock:a", all, quorum);
}

// servers: "m1" a master of run id 1, "r2" a replica of run id 2, "?" silent, "x" reports nothing.
RedlockReport reported(const QString& servers, const QString& votes)
{
    RedlockReport report;
    report.group.match = "lock:*";
    const QStringList words = servers.split(u' ');
    for (const QString& word : words) {
        report.group.servers.emplace_back();
        RedlockServer server;
        server.endpoint = u"s%1"_s.arg(report.servers.size());
        if (word == u"?") {
            server.error = Error{ErrorCode::Refused, {}};
        } else if (word != u"x") {
            server.runId = word.mid(1);
            server.role = word.startsWith(u'r') ? NodeRole::Replica : NodeRole::Master;
        }
        report.servers.push_back(server);
    }
    report.locks.push_back(judged(votes));
    report.findings = redlockFindings(report);
    return report;
}

QString codesOf(const std::vector<Finding>& findings)
{
    QStringList codes;
    for (const Finding& finding : findings)
        codes << QString::fromLatin1(finding.code);
    return codes.join(u' ');
}

} // namespace

void TestRedlock::judges()
{
    QFETCH(QString, votes);
    QFETCH(QString, says);
    QFETCH(QString, id);
    const RedlockState state = judged(votes);
    QCOMPARE(redlockText(state), says);
    QCOMPARE(standingId(state.standing), id);
    QCOMPARE(redlockAdvice(state.standing).isEmpty(), id == u"free" || id == u"held");
}

void TestRedlock::counts()
{
    QCOMPARE(redlockCounts(judged(u"a:9 a:9 a:9"_s)), u"3 of 3"_s);
    QCOMPARE(redlockCounts(judged(u"a:9 a:9 a:9 . ?"_s)), u"3 of 5; 1 free, 1 unreachable"_s);
    QCOMPARE(redlockCounts(judged(u"a:9 b:9 b:9 . ."_s)), u"2 of 5; 1 other owner, 2 free"_s);
    QCOMPARE(standingText(judged(u"a:9 a:9 ."_s).standing), u"quorum reached"_s);
    QCOMPARE(judged(u"a:1 a:1 a:1"_s).validityMs, 0); // never below
}

void TestRedlock::findings_data()
{
    QTest::addColumn<QString>("servers");
    QTest::addColumn<QString>("votes");
    QTest::addColumn<QString>("codes");
    const auto row = [](const char* name, const char* servers, const char* votes,
                        const char* codes) {
        QTest::newRow(name) << QString::fromLatin1(servers) << QString::fromLatin1(votes)
                            << QString::fromLatin1(codes);
    };
    row("all is well", "m1 m2 m3", "a:9 a:9 a:9", "");
    row("a server twice", "m1 m2 m1", "a:9 a:9 a:9", "redlock-same-server");
    row("two pairs", "m1 m2 m1 m2", "a:9 a:9 a:9 a:9", "redlock-same-server redlock-same-server");
    row("who tells nothing is nobody's double", "x x x", "a:9 a:9 a:9", "");
    row("a replica", "m1 r2 m3", "a:9 a:9 a:9", "redlock-replica");
    row("too few answer", "m1 ? ?", ". ? ?", "redlock-too-few-servers");
    row("split", "m1 m2 m3", "a:9 b:9 .", "redlock-split");
    row("left over", "m1 m2 m3", "a:9 . .", "redlock-no-quorum");
    row("for ever", "m1 m2 m3", "a:- a:- .", "redlock-no-ttl");
}

void TestRedlock::findings()
{
    QFETCH(QString, servers);
    QFETCH(QString, votes);
    QFETCH(QString, codes);
    const RedlockReport report = reported(servers, votes);
    for (const Finding& finding : report.findings)
        QVERIFY(!finding.message.isEmpty() && !finding.why.isEmpty() && !finding.advice.isEmpty());
    QCOMPARE(codesOf(report.findings), codes);
    QSet<QByteArray> places; // two replicas are two findings
    for (const Finding& finding : report.findings)
        places << finding.code + ' ' + finding.name + ' ' + finding.key;
    QCOMPARE(places.size(), qsizetype(report.findings.size()));
    // A rule or a silence may name each of them, and each is known once.
    for (const Finding& finding : report.findings) {
        QCOMPARE(std::count_if(knownFindings().begin(), knownFindings().end(),
                               [&](const KnownFinding& known) {
                                   return known.code == finding.code && known.ofRedlock &&
                                          known.severity == finding.severity;
                               }),
                 1);
    }
}

void TestRedlock::whatPassesIsNoHazard_data()
{
    QTest::addColumn<QString>("serversBefore");
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("servers");
    QTest::addColumn<QString>("votes");
    QTest::addColumn<QString>("codes");
    const auto row = [](const char* name, const char* serversBefore, const char* before,
                        const char* servers, const char* votes, const char* codes) {
        QTest::newRow(name) << QString::fromLatin1(serversBefore) << QString::fromLatin1(before)
                            << QString::fromLatin1(servers) << QString::fromLatin1(votes)
                            << QString::fromLatin1(codes);
    };
    const char* all = "m1 m2 m3";
    row("it stays", all, "a:9 b:9 .", all, "a:8 b:8 .", "redlock-split");
    row("it was being acquired", all, "a:9 . .", all, "a:9 a:9 .", "");
    row("it is being released", all, "a:9 a:9 a:9", all, ". . a:9", "");
    row("another tries by now", all, "a:9 . .", all, ". b:9 .", "");
    row("others share it by now", all, "a:9 b:9 .", all, "a:9 c:9 .", "");
    row("another hazard than before", all, "a:9 b:9 .", all, "a:9 . .", "");
    row("a replica stays one", "m1 r2 m3", ". . .", "m1 r2 m3", ". . .", "redlock-replica");
    row("another is one by now", "m1 r2 m3", ". . .", "m1 m2 r3", ". . .", "");
    row("they were silent once", "m1 ? ?", ". ? ?", all, ". . .", "");
    row("they stay silent", "m1 ? ?", ". ? ?", "m1 ? ?", ". ? ?", "redlock-too-few-servers");
}

void TestRedlock::whatPassesIsNoHazard()
{
    QFETCH(QString, serversBefore);
    QFETCH(QString, before);
    QFETCH(QString, servers);
    QFETCH(QString, votes);
    QFETCH(QString, codes);
    QCOMPARE(
        codesOf(lastingRedlockFindings(reported(servers, votes), reported(serversBefore, before))),
        codes);
}

// A recording keeps what was seen, not why it matters.
void TestRedlock::keptFindingsAreExplained()
{
    for (const QString& votes : {u"a:9 b:9 ."_s, u"a:9 . ."_s, u"a:- a:- ."_s, u". ? ?"_s}) {
        const QString servers = votes.contains(u'?') ? u"m1 ? ?"_s : u"m1 m2 r3"_s;
        for (const Finding& finding : reported(servers, votes).findings) {
            Finding kept = finding;
            kept.why.clear();
            kept.advice.clear();
            explainFinding(kept);
            QCOMPARE(kept.why, finding.why);
            QCOMPARE(kept.advice, finding.advice);
        }
    }
    Finding other;
    other.code = "of-no-rule";
    other.why = u"its own"_s;
    explainFinding(other);
    QCOMPARE(other.why, u"its own"_s);
}

void TestRedlock::readsTheConfiguration()
{
    const Result<Config> config = parseConfig(R"(
[[redlock]]
servers = ["redis://a", "rediss://b:7", "unix:///r.sock"]
match = "lock:*"
[[redlock]]
servers = ["a:1", "a:2", "a:3", "a:4"]
match = "job"
[check]
)",
                                              u"c.toml"_s);
    QVERIFY2(config, qPrintable(config ? QString() : config.error().detail));
    const std::vector<RedlockGroup>& groups = config->redlocks;
    QCOMPARE(groups.size(), size_t(2));
    QCOMPARE(groups.at(0).match, QByteArray("lock:*"));
    QCOMPARE(groups.at(0).quorum(), size_t(2));
    QCOMPARE(groups.at(1).quorum(), size_t(3));
    QCOMPARE(groups.at(1).servers[3].port, quint16(4));
}

void TestRedlock::refuses_data()
{
    QTest::addColumn<QByteArray>("toml");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QByteArray& body, const char* says) {
        QTest::newRow(name) << "[[redlock]]\n" + body << QString::fromLatin1(says);
    };
    const QByteArray match = "match = \"a\"\n";
    row("no servers", match, "f.toml:1: \"servers\" is missing");
    row("no match", "servers = [\"a\", \"b\", \"c\"]", "f.toml:1: \"match\" is missing");
    row("two servers", match + "servers = [\"a\", \"b\"]",
        "f.toml:3: \"servers\" must be the URLs "
        "of three");
    row("the same twice", match + "servers = [\"a\", \"b\", \"a\"]",
        "f.toml:3: a:6379/0 is listed "
        "twice");
    row("a cluster", match + "servers = [\"a\", \"b\", \"redis-cluster://c\"]",
        "f.toml:3: the servers of a Redlock are independent masters");
    row("no URL", match + "servers = [\"a\", \"b\", \"http://c\"]", "f.toml:3: Invalid address");
    row("no text", match + "servers = [\"a\", \"b\", 3]", "f.toml:3: \"servers\" must be URLs");
    row("an empty pattern", "match = \"\"", "f.toml:2: \"match\" must be a pattern");
    row("a misspelt key", "matches = \"a\"", "f.toml:2: unknown key \"matches\"");
    QTest::newRow("no array of tables")
        << QByteArray("redlock = 1") << u"f.toml:1: \"redlock\" is written as [[redlock]]"_s;
}

void TestRedlock::refuses()
{
    QFETCH(QByteArray, toml);
    QFETCH(QString, says);
    const Result<Config> config = parseConfig(toml, u"f.toml"_s);
    QVERIFY(!config);
    QVERIFY2(config.error().detail.startsWith(says), qPrintable(config.error().detail));
}

LK_TEST(TestRedlock);
#include "tst_redlock.moc"
