// SPDX-License-Identifier: GPL-3.0-or-later
#include "actionrunner.h"
#include "tests/support/testprogram.h"

using namespace lk;

namespace {

const ActionCases cases{
    {"new", "token-issue", "", "t", "payload 60000", "done 1", "refused exists", "GET t",
     "payload"},
    {"bytes", "token-issue", "", R"(t\x00)", R"("\x00\xff\x0d\x0a" 60000)", "done 1",
     "refused exists", R"(GET t\x00)", R"("\x00\xff\x0d\x0a")"},
    {"empty", "token-issue", "", "t", R"("" 60000)", "done 1", "refused exists", "GET t", R"("")"},
    {"there", "token-issue", "SET t x PX 1000", "t", "payload 60000", "refused exists"},
    {"another type there", "token-issue", "RPUSH t x", "t", "payload 60000", "refused exists"},
    {"no lifetime", "token-issue", "", "t", "payload 0", "refused argument"},
    {"a lifetime that is none", "token-issue", "", "t", "payload 1h", "refused argument"},
    {"without", "token-issue", "", "t", "payload", "refused argument"},

    {"new", "token-issue-hash", "", "t", "60000 a 1 b 2", "done 1", "refused exists",
     "HMGET t a b used_by", "1 2 0"},
    {"with its count", "token-issue-hash", "", "t", "60000 used_by 0 a 1", "done 1",
     "refused exists", "HMGET t a used_by", "1 0"},
    {"bytes", "token-issue-hash", "", R"(t\xff)", R"(60000 "\x00" "\xff\x0d\x0a")", "done 1",
     "refused exists", R"(HGET t\xff "\x00")", R"("\xff\x0d\x0a")"},
    {"used already", "token-issue-hash", "", "t", "60000 a 1 used_by 1", "refused argument"},
    {"there", "token-issue-hash", "HSET t a 1", "t", "60000 a 1", "refused exists"},
    {"another type there", "token-issue-hash", "SET t 1", "t", "60000 a 1", "refused exists"},
    {"half a pair", "token-issue-hash", "", "t", "60000 a", "refused argument"},
    {"no fields", "token-issue-hash", "", "t", "60000", "refused argument"},
    {"no lifetime", "token-issue-hash", "", "t", "0 a 1", "refused argument"},

    {"a string", "token-consume", "SET t payload PX 60000", "t", "string", "done 1",
     "refused missing", "EXISTS t", "0"},
    {"whatever it is", "token-consume", "SET t payload", "t", R"("")", "done 1", "refused missing"},
    {"bytes", "token-consume", R"(SET t\x00 "\x00\xff")", R"(t\x00)", "string", "done 1",
     "refused missing"},
    {"a hash", "token-consume", "HSET t used_by 0 a 1 | PEXPIRE t 60000", "t", "hash", "done 1",
     "refused used", "HGET t used_by", "1"},
    {"a hash without fields", "token-consume", "HSET t used_by 0", "t", R"("")", "done 1",
     "refused ghost", "HGET t used_by", "1"},
    {"used", "token-consume", "HSET t used_by 1 a 1", "t", "hash", "refused used"},
    {"used often", "token-consume", "HSET t used_by 12 a 1", "t", "hash", "refused used"},
    {"a ghost", "token-consume", "HSET t used_by 1", "t", "hash", "refused ghost"},
    {"a count that is none", "token-consume", "HSET t used_by me a 1", "t", "hash",
     "refused value"},
    {"no count", "token-consume", "HSET t a 1", "t", "hash", "refused value"},
    {"a string for a hash", "token-consume", "SET t 1", "t", "hash", "refused type"},
    {"a hash for a string", "token-consume", "HSET t used_by 0 a 1", "t", "string", "refused type"},
    {"a list", "token-consume", "RPUSH t 1", "t", R"("")", "refused type"},
    {"missing", "token-consume", "", "t", "string", "refused missing"},
    {"missing hash", "token-consume", "", "t", "hash", "refused missing"},
    {"of no kind", "token-consume", "SET t 1", "t", "list", "refused argument"},

    {"a ghost", "token-cleanup", "HSET t used_by 1", "t", "", "done 1", "refused missing",
     "EXISTS t", "0"},
    {"bytes", "token-cleanup", R"(HSET t\x00\xff used_by 3)", R"(t\x00\xff)", "", "done 1",
     "refused missing"},
    {"issued meanwhile", "token-cleanup", "HSET t used_by 1 a 1", "t", "", "conflict 2"},
    {"another field", "token-cleanup", "HSET t a 1", "t", "", "conflict 1"},
    {"unused, without fields", "token-cleanup", "HSET t used_by 0", "t", "", "conflict 1"},
    {"a string", "token-cleanup", "SET t 1", "t", "", "conflict string"},
    {"missing", "token-cleanup", "", "t", "", "refused missing"},
};

} // namespace

class tst_TokenActions : public QObject
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

    void lifetimesAreMilliseconds();
    void aConsumedHashKeepsItsEnd();
    void thePayloadIsNotShown();
    void noTokenWithoutAnEnd();

private:
    ActionRunner m_redis;
    ActionRunner m_old;
};

void tst_TokenActions::lifetimesAreMilliseconds()
{
    m_redis.clear();
    m_redis.run("token-issue", {"s"}, {"x", "600000"});
    m_redis.run("token-issue-hash", {"h"}, {"600000", "a", "1"});
    for (const char* key : {"s", "h"}) {
        const qint64 left = m_redis.command({"PTTL", key}).integer;
        QVERIFY(left > 570'000 && left <= 600'000);
    }
}

void tst_TokenActions::aConsumedHashKeepsItsEnd()
{
    m_redis.prepare({"", "", "HSET t used_by 0 a 1 | PEXPIREAT t {ms+60000}"});
    m_redis.run("token-consume", {"t"}, {"hash"});
    QCOMPARE(QByteArray::number(m_redis.line("PEXPIRETIME t").integer),
             m_redis.words("{ms+60000}").front());
}

// It is in the DUMP for undoing, and nowhere else; with a limit of 0 not there either.
void tst_TokenActions::thePayloadIsNotShown()
{
    m_redis.prepare({"", "", "SET t secret"});
    const Reply reply = m_redis.run("token-consume", {"t"}, {"string"}, 0);
    for (const QByteArray& text : flat(reply))
        QVERIFY(!text.contains("secret"));
}

void tst_TokenActions::noTokenWithoutAnEnd()
{
    m_redis.prepare({"", "", "ACL SETUSER few reset on nopass +@all ~* -pexpire"});
    m_redis.line("AUTH few x");
    const Reply reply = m_redis.run("token-issue-hash", {"t"}, {"60000", "a", "1"});
    m_redis.line("AUTH default x");
    QCOMPARE(outcomeOf(reply), QByteArray("refused forbidden"));
    QCOMPARE(m_redis.line("DBSIZE").integer, 0);
}

LK_TEST(tst_TokenActions);
#include "tst_tokenactions.moc"
