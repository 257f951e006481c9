// SPDX-License-Identifier: GPL-3.0-or-later
#include "actionrunner.h"

using namespace lk;

namespace {

const ActionCases cases{
    {"its owner's", "lock-release", "SET l mine PX 60000", "l", "mine", "done 1", "refused missing",
     "EXISTS l", "0"},
    {"bytes", "lock-release", R"(SET l\x00\xff "\x0d\x0a \x00")", R"(l\x00\xff)",
     R"("\x0d\x0a \x00")", "done 1", "refused missing", "DBSIZE", "0"},
    {"changed hands", "lock-release", "SET l other PX 60000", "l", "mine", "conflict other"},
    {"a beginning of it", "lock-release", R"(SET l "mine\x00more")", "l", "mine",
     R"(conflict "mine\x00more")"},
    {"missing", "lock-release", "", "l", "mine", "refused missing"},
    {"a list", "lock-release", "RPUSH l mine", "l", "mine", "refused type"},

    {"longer", "lock-lease", "SET l mine PX 1000", "l", "mine 600000", "done 1", "done 1", "GET l",
     "mine"},
    {"shorter", "lock-lease", "SET l mine PX 600000", "l", "mine 5000", "done 1", "done 1"},
    {"without an end", "lock-lease", "SET l mine", "l", "mine 60000", "done 1", "done 1"},
    {"bytes", "lock-lease", R"(SET l\xfe "\x00\x0d\x0a")", R"(l\xfe)", R"("\x00\x0d\x0a" 60000)",
     "done 1", "done 1"},
    {"changed hands", "lock-lease", "SET l other PX 1000", "l", "mine 60000", "conflict other"},
    {"missing", "lock-lease", "", "l", "mine 60000", "refused missing"},
    {"a hash", "lock-lease", "HSET l mine 1", "l", "mine 60000", "refused type"},
    {"no time", "lock-lease", "SET l mine", "l", "mine 0", "refused argument"},
    {"negative", "lock-lease", "SET l mine", "l", "mine -1", "refused argument"},
    {"a fraction", "lock-lease", "SET l mine", "l", "mine 1.5", "refused argument"},
    {"too much", "lock-lease", "SET l mine", "l", "mine 99999999999999999999", "refused argument"},
    {"nothing given", "lock-lease", "SET l mine", "l", "mine", "refused argument"},

    {"taken", "watcher-hold", "", "w", "mine 15000 take", "done 1", "done 1", "GET w", "mine"},
    {"kept", "watcher-hold", "SET w mine PX 1000", "w", "mine 15000 keep", "done 1", "done 1",
     "GET w", "mine"},
    {"ours is taken again", "watcher-hold", "SET w mine PX 1000", "w", "mine 15000 take", "done 1",
     "done 1"},
    {"bytes", "watcher-hold", R"(SET w\xfe "\x00\x0d\x0a" PX 1000)", R"(w\xfe)",
     R"("\x00\x0d\x0a" 60000 keep)", "done 1", "done 1"},
    {"another's is not taken", "watcher-hold", "SET w other PX 60000", "w", "mine 15000 take",
     "conflict other"},
    {"another's is not kept", "watcher-hold", "SET w other PX 60000", "w", "mine 15000 keep",
     "conflict other"},
    {"another's without an end", "watcher-hold", "SET w other", "w", "mine 15000 take",
     "conflict other"},
    {"an empty one is another's", "watcher-hold", R"(SET w "" PX 60000)", "w", "mine 15000 take",
     "conflict"},
    {"lost", "watcher-hold", "", "w", "mine 15000 keep", "refused missing"},
    {"a list", "watcher-hold", "RPUSH w mine", "w", "mine 15000 take", "refused type"},
    {"kept, a list", "watcher-hold", "RPUSH w mine", "w", "mine 15000 keep", "refused type"},
    {"no time", "watcher-hold", "", "w", "mine 0 take", "refused argument"},
    {"no token", "watcher-hold", "", "w", R"("" 15000 take)", "refused argument"},
    {"no way", "watcher-hold", "", "w", "mine 15000", "refused argument"},
    {"another way", "watcher-hold", "", "w", "mine 15000 steal", "refused argument"},

    {"cleared", "timestamp-lock-replace", "SET l {s-5}.25", "l", R"({s-5}.25 "" s 1)", "done 1",
     "refused missing", "EXISTS l", "0"},
    {"taken over", "timestamp-lock-replace", "SET l {s-5}", "l", "{s-5} {s+60}.5 s 1", "done 1",
     "conflict {s+60}.5", "GET l", "{s+60}.5"},
    {"in ms", "timestamp-lock-replace", "SET l {ms-10}", "l", "{ms-10} {ms+60000} ms 1", "done 1",
     "conflict {ms+60000}", "TTL l", "-1"},
    {"held is cut short", "timestamp-lock-replace", "SET l {s+900}", "l", "{s+900} {s+60} s 0",
     "done 1", "conflict {s+60}", "GET l", "{s+60}"},
    {"with a TTL", "timestamp-lock-replace", "SET l {s-5} PX 900000", "l", "{s-5} {s+60} s 1",
     "done 1", "conflict {s+60}"},
    {"bytes", "timestamp-lock-replace", R"(SET l\x00 {ms-10})", R"(l\x00)",
     "{ms-10} {ms+60000} ms 1", "done 1", "conflict {ms+60000}"},
    {"held", "timestamp-lock-replace", "SET l {s+5}", "l", R"({s+5} "" s 1)", "refused held"},
    {"held, in ms", "timestamp-lock-replace", "SET l {ms+5000}", "l", R"({ms+5000} "" ms 1)",
     "refused held"},
    {"renewed", "timestamp-lock-replace", "SET l {s+5}", "l", R"({s-5} "" s 1)", "conflict {s+5}"},
    {"no moment", "timestamp-lock-replace", "SET l 0x10", "l", R"(0x10 "" s 0)", "refused value"},
    {"a token", "timestamp-lock-replace", R"(SET l "\x00ab")", "l", R"("\x00ab" "" s 0)",
     "refused value"},
    {"missing", "timestamp-lock-replace", "", "l", R"({s-5} "" s 1)", "refused missing"},
    {"a set", "timestamp-lock-replace", "SADD l {s-5}", "l", R"({s-5} "" s 1)", "refused type"},
    {"another unit", "timestamp-lock-replace", "SET l 5", "l", R"(5 "" h 0)", "refused argument"},
    {"a new end that is past", "timestamp-lock-replace", "SET l {s-5}", "l", "{s-5} {s-1} s 1",
     "refused argument"},
    {"a new end that is none", "timestamp-lock-replace", "SET l {s-5}", "l", "{s-5} soon s 1",
     "refused argument"},
};

} // namespace

class tst_LockActions : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_old.pretendToBeOld();
        QVERIFY(m_redis.start() && m_old.start());
    }

    void scripts_data() { addCases(cases); }
    void scripts()
    {
        QFETCH(int, index);
        QFETCH(bool, old);
        checkCase(old ? m_old : m_redis, cases[size_t(index)]);
    }

    void theLeaseIsMilliseconds();
    void theTtlEndsWithTheMoment();
    void theWatchersLeaseBeginsAnew();
    void aLongOwnerIsCutInTheAnswer();
    void nothingIsLostWhereTheTtlIsDenied();

private:
    ActionRunner m_redis;
    ActionRunner m_old;
};

void tst_LockActions::theLeaseIsMilliseconds()
{
    m_redis.prepare({"", "", "SET l mine"});
    m_redis.run("lock-lease", {"l"}, {"mine", "600000"});
    const qint64 left = m_redis.line("PTTL l").integer;
    QVERIFY(left > 570'000 && left <= 600'000);
}

void tst_LockActions::theWatchersLeaseBeginsAnew()
{
    for (const char* setup : {"", "SET w mine", "SET w mine PX 500", "SET w mine PX 900000"}) {
        m_redis.prepare({"", "", setup});
        m_redis.run("watcher-hold", {"w"}, {"mine", "15000", "take"});
        const qint64 left = m_redis.line("PTTL w").integer;
        QVERIFY2(left > 10'000 && left <= 15'000, setup);
    }
}

void tst_LockActions::theTtlEndsWithTheMoment()
{
    const ActionCase c{"", "timestamp-lock-replace", "SET l {s-5} PX 900000", "l",
                       "{s-5} {s+60}.25 s 1"};
    m_redis.prepare(c);
    m_redis.run(c);
    QCOMPARE(QByteArray::number(m_redis.line("PEXPIRETIME l").integer),
             m_redis.words("{s+60}").front() + "250");
}

void tst_LockActions::aLongOwnerIsCutInTheAnswer()
{
    m_redis.clear();
    m_redis.command({"SET", "l", QByteArray(5000, 'x')});
    const Reply reply = m_redis.run("lock-release", {"l"}, {"mine"});
    QCOMPARE(reply.items[2].text, QByteArray(128, 'x'));
}

void tst_LockActions::nothingIsLostWhereTheTtlIsDenied()
{
    const ActionCase c{"", "timestamp-lock-replace",
                       "SET l {s-5} PX 900000 | ACL SETUSER few nopass on +@all -pexpireat ~*", "l",
                       "{s-5} {s+60} s 1"};
    m_redis.prepare(c);
    const QByteArray before = m_redis.dump("l");
    m_redis.line("AUTH few x");
    const Reply reply = m_redis.run(c);
    m_redis.line("AUTH default x");
    QCOMPARE(outcomeOf(reply), QByteArray("refused forbidden"));
    QCOMPARE(m_redis.dump("l"), before);
}

QTEST_GUILESS_MAIN(tst_LockActions)
#include "tst_lockactions.moc"
