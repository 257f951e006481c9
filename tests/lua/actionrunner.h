// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/keyfingerprint.h"
#include "backend/redis/script.h"
#include "tests/support/redisserver.h"

#include <QDateTime>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <map>

namespace lk {

using Texts = std::vector<QByteArray>;

/// One call of an action's script and its expected result. In all texts {ms+500} is the server's
/// time plus 500, in milliseconds; {s-60} and {us+1} likewise. Words are as parseCommand() has
/// them.
struct ActionCase
{
    const char* name = "";
    const char* script = "";
    QByteArray setup = {}; ///< commands, separated by " | "
    QByteArray keys = {};
    QByteArray args = {};   ///< from ARGV 2 on
    QByteArray first = {};  ///< "done COUNT ITEMS", "refused WHY" or "conflict NOW"
    QByteArray again = {};  ///< when called a second time; empty with first not being "done"
    QByteArray effect = {}; ///< a command that shows the effect
    QByteArray seen = {};   ///< its reply, as words
};
using ActionCases = std::vector<ActionCase>;

/// Runs the actions' scripts against a private server, one blocking call at a time.
class ActionRunner
{
public:
    /// Removes the commands that a Redis before 7 or 6 does not have.
    void pretendToBeOld()
    {
        m_old = true;
        QStringList arguments;
        for (const char* name :
             {"PEXPIRETIME", "EXPIRETIME", "LMOVE", "COPY", "GETDEL", "GETEX", "LPOS", "UNLINK"})
            arguments << QStringLiteral("--rename-command") << QLatin1String(name) << QString();
        m_server.setArguments(arguments);
    }
    bool isOld() const { return m_old; }
    bool start() { return m_server.start(); }
    void clear() { m_server.flush(); }

    Reply command(const Command& command) { return m_server.run(command); }
    Reply line(const QByteArray& text) { return command(test::parseCommand(text)); }
    QByteArray dump(const QByteArray& key) { return command({"DUMP", key}).text; }

    /// lua/actions/<script>.lua, with the limit and the deadline (ms by the server's clock) before
    /// the arguments.
    Reply run(const QByteArray& script, const Texts& keys, Texts args, qint64 limit = 1024 * 1024,
              qint64 deadlineMs = 9'000'000'000'000)
    {
        return runWithFirst(QByteArray::number(limit) + ' ' + QByteArray::number(deadlineMs),
                            script, keys, std::move(args));
    }
    /// With that as ARGV 1.
    Reply runWithFirst(const QByteArray& first, const QByteArray& script, const Texts& keys,
                       Texts args)
    {
        args.insert(args.begin(), first);
        return command(Script(source("prelude") + "local function act()\n" + source(script) +
                              "end\nreturn guarded(act)\n")
                           .eval(keys, args));
    }
    qint64 serverMs()
    {
        const Reply time = command({"TIME"});
        return time.items[0].text.toLongLong() * 1000 + time.items[1].text.toLongLong() / 1000;
    }

    /// Sets up the case's keys again; its times count from now on.
    void prepare(const ActionCase& c)
    {
        clear();
        const Reply time = command({"TIME"});
        m_us = time.items[0].text.toLongLong() * 1'000'000 + time.items[1].text.toLongLong();
        for (const QString& text : QString::fromUtf8(c.setup).split(QStringLiteral(" | "))) {
            if (!text.isEmpty() && line(timed(text.toUtf8())).isError())
                qFatal("cannot be set up: %s", qUtf8Printable(text));
        }
    }
    Reply run(const ActionCase& c, qint64 limit = 1024 * 1024)
    {
        return run(c.script, words(c.keys), words(c.args), limit);
    }
    Texts words(const QByteArray& text) { return test::parseCommand(timed(text)).args(); }
    QByteArray words(const QByteArray& text, char separator)
    {
        const Texts all = words(text);
        return QByteArrayList(all.begin(), all.end()).join(separator);
    }

    /// Every key: its DUMP and when it expires, -1 if never.
    using Snapshot = std::map<QByteArray, std::pair<QByteArray, qint64>>;
    Snapshot snapshot()
    {
        Snapshot all;
        for (const Reply& key : command({"KEYS", "*"}).items) {
            const qint64 left = command({"PTTL", key.text}).integer;
            const qint64 now = QDateTime::currentMSecsSinceEpoch();
            all[key.text] = {dump(key.text), left < 0 ? left : now + left};
        }
        return all;
    }

    /// undo-restore with what the keys part of a reply says.
    Reply undo(const Texts& keys, const Reply& done)
    {
        Texts args;
        for (const Reply& key : done.items[4].items) {
            args.push_back(key.items[2].text);
            args.push_back(QByteArray::number(key.items[3].integer));
            args.push_back(key.items[4].text);
            args.push_back(QByteArray::number(key.items[5].integer));
        }
        return run("undo-restore", keys, args);
    }

    /// With the moments of this run for {s-60} and the like.
    QByteArray timed(const QByteArray& text) const
    {
        static const QRegularExpression moment(QStringLiteral("\\{(s|ms|us)([+-]\\d+)\\}"));
        QString result = QString::fromUtf8(text);
        for (auto match = moment.match(result); match.hasMatch(); match = moment.match(result)) {
            const QString unit = match.captured(1);
            const qint64 parts = unit == QStringLiteral("s")    ? 1'000'000
                                 : unit == QStringLiteral("ms") ? 1'000
                                                                : 1;
            const qint64 value = m_us / parts + match.captured(2).toLongLong();
            result.replace(match.capturedStart(), match.capturedLength(), QString::number(value));
        }
        return result.toUtf8();
    }

private:
    static QByteArray source(const QByteArray& script)
    {
        QFile file(QStringLiteral(":/lua/actions/") + QString::fromUtf8(script) +
                   QStringLiteral(".lua"));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("no action of that name");
        return file.readAll();
    }

    test::RedisServer m_server;
    bool m_old = false;
    qint64 m_us = 0;
};

/// The outcome in the words of the cases: "done 2 11".
inline QByteArray outcomeOf(const Reply& reply)
{
    if (reply.items.size() != 5)
        return "error " + reply.text;
    const QByteArray status = reply.items[0].text;
    QByteArray rest = reply.items[2].text;
    if (status == "done") {
        rest = QByteArray::number(reply.items[1].integer);
        if (!reply.items[3].text.isEmpty())
            rest += ' ' + reply.items[3].text;
    }
    return status + ' ' + rest;
}

/// A reply as words.
inline Texts flat(const Reply& reply)
{
    if (reply.isNil())
        return {"nil"};
    if (reply.isInteger())
        return {QByteArray::number(reply.integer)};
    if (!reply.isArray())
        return {reply.text};
    Texts all;
    for (const Reply& item : reply.items) {
        for (const QByteArray& text : flat(item))
            all.push_back(text);
    }
    return all;
}

inline bool sameKeys(const ActionRunner::Snapshot& a, const ActionRunner::Snapshot& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        const qint64 apart = qAbs(x.second.second - y.second.second);
        return x.first == y.first && x.second.first == y.second.first && apart <= 100;
    });
}

// Checks that apply to every action.

inline void checkKeysPart(ActionRunner& redis, const Texts& keys, const Reply& done,
                          const ActionRunner::Snapshot& before)
{
    const std::vector<Reply>& parts = done.items[4].items;
    QCOMPARE(parts.size(), keys.size());
    const ActionRunner::Snapshot after = redis.snapshot();
    for (size_t i = 0; i < keys.size(); ++i) {
        const auto was = before.find(keys[i]);
        const auto is = after.find(keys[i]);
        const std::vector<Reply>& part = parts[i].items;
        QCOMPARE(part.size(), size_t(6));
        QCOMPARE(part[0].text == "none", was == before.end());
        QCOMPARE(part[1].integer > 0, was != before.end());
        QCOMPARE(part[2].text, was == before.end() ? QByteArray() : was->second.first);
        QVERIFY(qAbs(part[3].integer - (was == before.end() ? -2 : was->second.second)) <= 100);
        const QByteArray fingerprint =
            is == after.end() ? QByteArray() : fingerprintOfDump(Reply::bulk(is->second.first));
        QCOMPARE(part[4].text, fingerprint);
        QVERIFY(qAbs(part[5].integer - (is == after.end() ? -2 : is->second.second)) <= 100);
    }
}

/// For each write that the user may not send, the action does all without it, or nothing.
inline void checkDenied(ActionRunner& redis, const ActionCase& c)
{
    int needed = 0;
    for (const char* denied :
         {"-del -unlink", "-set", "-hset", "-hincrby", "-decrby", "-pexpire", "-pexpireat",
          "-persist", "-lrem", "-lpush", "-rpush", "-rpoplpush", "-zremrangebyscore",
          "-zremrangebyrank", "-zrem", "-zadd", "-xclaim", "-xack", "-xadd"}) {
        redis.prepare(c);
        const ActionRunner::Snapshot before = redis.snapshot();
        redis.line(QByteArray("ACL SETUSER few reset on nopass +@all ~* ") + denied);
        redis.line("AUTH few x");
        const QByteArray outcome = outcomeOf(redis.run(c));
        redis.line("AUTH default x");
        if (outcome.startsWith("done"))
            continue;
        ++needed;
        QVERIFY2(outcome == "refused forbidden", (denied + (": " + outcome)).constData());
        QVERIFY2(sameKeys(redis.snapshot(), before), denied);
    }
    QVERIFY(needed > 0);
    // Without the commands that read the key or the time, the action is refused before it writes.
    for (const auto& [denied, why] :
         {std::pair{"-dump", "refused nodump"}, std::pair{"-type", "refused error"},
          std::pair{"-time", "refused error"}}) {
        redis.prepare(c);
        const ActionRunner::Snapshot before = redis.snapshot();
        redis.line(QByteArray("ACL SETUSER few reset on nopass +@all ~* ") + denied);
        redis.line("AUTH few x");
        const QByteArray outcome = outcomeOf(redis.run(c));
        redis.line("AUTH default x");
        QVERIFY2(outcome == why, (denied + (": " + outcome)).constData());
        QVERIFY2(sameKeys(redis.snapshot(), before), denied);
    }
}

/// A call that arrives after its deadline, or has none, writes nothing.
inline void checkLate(ActionRunner& redis, const ActionCase& c)
{
    redis.prepare(c);
    const ActionRunner::Snapshot before = redis.snapshot();
    const Texts keys = redis.words(c.keys);
    const Texts args = redis.words(c.args);
    QCOMPARE(outcomeOf(redis.run(c.script, keys, args, 1024 * 1024, redis.serverMs() - 1)),
             "refused late");
    for (const char* first : {"", "1048576", "1048576 ", " 9000000000000", "1048576 soon"})
        QCOMPARE(outcomeOf(redis.runWithFirst(first, c.script, keys, args)), "refused argument");
    QVERIFY(sameKeys(redis.snapshot(), before));
}

inline void checkCase(ActionRunner& redis, const ActionCase& c)
{
    redis.prepare(c);
    const Texts keys = redis.words(c.keys);
    const ActionRunner::Snapshot before = redis.snapshot();
    const Reply reply = redis.run(c);
    const QByteArray first = redis.words(c.first, ' ');
    QCOMPARE(outcomeOf(reply).trimmed(), first);
    if (!c.effect.isEmpty())
        QCOMPARE(flat(redis.line(redis.timed(c.effect))), redis.words(c.seen));
    if (!c.first.startsWith("done")) {
        QVERIFY(sameKeys(redis.snapshot(), before));
        QVERIFY(reply.items[4].items.empty());
        return;
    }
    checkKeysPart(redis, keys, reply, before);
    const ActionRunner::Snapshot after = redis.snapshot();
    QCOMPARE(outcomeOf(redis.run(c)).trimmed(), redis.words(c.again, ' '));
    if (!c.again.startsWith("done"))
        QVERIFY(sameKeys(redis.snapshot(), after));

    // Too large to be kept: done all the same.
    redis.prepare(c);
    const Reply large = redis.run(c, 0);
    QCOMPARE(outcomeOf(large).trimmed(), first);
    for (const Reply& part : large.items[4].items) {
        QVERIFY(part.items[2].isNil());
        QCOMPARE(part.items[4].isNil(), part.items[5].integer != -2);
    }

    redis.prepare(c);
    const ActionRunner::Snapshot original = redis.snapshot();
    const Reply undone = redis.undo(keys, redis.run(c));
    QCOMPARE(outcomeOf(undone).left(4), QByteArray("done"));
    QVERIFY(sameKeys(redis.snapshot(), original));
    if (!redis.isOld())
        checkDenied(redis, c);
    checkLate(redis, c);
}

/// The rows of a test that checks cases on a server of today and on one without newer commands.
inline void addCases(const ActionCases& cases)
{
    QTest::addColumn<int>("index");
    QTest::addColumn<bool>("old");
    for (const bool old : {false, true}) {
        for (size_t i = 0; i < cases.size(); ++i)
            QTest::addRow("%s: %s%s", cases[i].script, cases[i].name, old ? " (old)" : "")
                << int(i) << old;
    }
}

} // namespace lk
