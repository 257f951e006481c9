// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns of key names: what they match, what they take out of a name, and what is refused.
#include "backend/libraries/families/files/namepattern.h"
#include "tests/support/testprogram.h"

#include <QtTest>

using namespace lk;

namespace {

NamePattern made(const QByteArray& text)
{
    const auto pattern = NamePattern::parse(text);
    if (!pattern)
        qWarning("%s: %s", text.constData(), qPrintable(pattern.error()));
    return pattern.value_or(NamePattern());
}

// "id=7 unit=day"
QByteArray shown(const NamePattern& pattern, const NameValues& values)
{
    QByteArrayList all;
    for (const QByteArray& name : pattern.placeholders())
        all << name + '=' + values.value(name);
    return all.join(' ');
}

} // namespace

class TestNamePattern : public QObject
{
    Q_OBJECT

private slots:
    void takesOutOfAName_data();
    void takesOutOfAName();
    void matchesNothingElse_data();
    void matchesNothingElse();
    void makesAName();
    void refusesWhatIsNoPattern_data();
    void refusesWhatIsNoPattern();
    void aNameMadeToBeSlowEnds();
};

void TestNamePattern::takesOutOfAName_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("values");
    const auto row = [](const char* title, const char* pattern, const char* name,
                        const char* values) {
        QTest::newRow(title) << QByteArray(pattern) << QByteArray(name) << QByteArray(values);
    };
    row("the rest", "rl:{id}", "rl:user:7", "id=user:7");
    row("no prefix", "{prefix}rl:{id}", "rl:7", "prefix= id=7");
    row("a prefix", "{prefix}rl:{id}", "shop:v2:rl:7", "prefix=shop:v2: id=7");
    row("a prefix of braces", "{prefix}rl:{id}", "{acme}rl:7", "prefix={acme} id=7");
    row("the first place that fits", "{prefix}rl:{id}", "rl:rl:7", "prefix= id=rl:7");
    row("from the end", "L/{id}/{n:digits}/{u:second|day}", "L/a/b/5/2/day", "id=a/b/5 n=2 u=day");
    row("braces", "request.{{{id}}}.tokens", "request.{a.b}.tokens", "id=a.b");
    row("next to each other", "{name}{n:digits}", "funnel12", "name=funnel n=12");
    row("the same twice", "{a}:{b}:{a}", "x:y:x", "a=x b=y");
    row("a uuid", "{prefix}{u:uuid}", "k:0d9a3a39-1d2c-4d6e-9b55-0a1b2c3d4e5f",
        "prefix=k: u=0d9a3a39-1d2c-4d6e-9b55-0a1b2c3d4e5f");
    row("so many hex digits", "{h:hex8}", "00ffAA11", "h=00ffAA11");
    row("a time", "{k}@{t:seconds}", "a@1795223350", "k=a t=1795223350");
    row("any bytes", "k:{id}", "k:\xff\x01", "id=\xff\x01");
}

void TestNamePattern::takesOutOfAName()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, name);
    const NamePattern p = made(pattern);
    const auto values = p.match(name);
    QVERIFY(values);
    QTEST(shown(p, *values), "values");
    QVERIFY(p.matches(name));
    QCOMPARE(p.fill(*values), std::optional(name));
}

void TestNamePattern::matchesNothingElse_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("name");
    const auto row = [](const char* title, const char* pattern, const char* name) {
        QTest::newRow(title) << QByteArray(pattern) << QByteArray(name);
    };
    row("another name", "rl:{id}", "lr:7");
    row("nothing for a placeholder", "rl:{id}", "rl:");
    row("nothing at all", "{id}", "");
    row("a prefix inside a word", "{prefix}limiter:{id}", "ratelimiter:7");
    row("no digits", "k:{n:digits}", "k:5a");
    row("too few hex digits", "{h:hex8}", "00ffAA1");
    row("another word", "k:{u:second|day}", "k:hour");
    row("no time", "k:{t:milliseconds}", "k:1795223350");
    row("different ones twice", "{a}:{a}", "x:y");
    row("more behind it", "k:{n:digits}:x", "k:5:xy");
    row("no uuid", "{u:uuid}", "0d9a3a39-1d2c-4d6e-9b55-0a1b2c3d4e5z");
}

void TestNamePattern::matchesNothingElse()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, name);
    QVERIFY(!made(pattern).match(name));
    QVERIFY(!made(pattern).matches(name));
}

void TestNamePattern::makesAName()
{
    NameValues values;
    values.set("id", "7");
    QCOMPARE(made("{{{id}}}:hits").fill(values), std::optional(QByteArray("{7}:hits")));
    QVERIFY(!made("{id}:{other}").fill(values));
    values.set("id", "8");
    QCOMPARE(made("{id}").fill(values), std::optional(QByteArray("8")));
}

void TestNamePattern::refusesWhatIsNoPattern_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const char* pattern, const char* says) {
        QTest::newRow(title) << QByteArray(pattern) << QString::fromUtf8(says);
    };
    row("empty", "", "it is empty");
    row("an open brace", "a{b", "{ without its }");
    row("a closing brace", "a}b", "} without its {");
    row("no name", "{}", "{} is not a placeholder");
    row("an unknown type", "{n:digit}", "unknown type in {n:digit}; known: digits");
    row("no border", "{a}{b}", "it is unclear where {a} ends and {b} begins");
}

void TestNamePattern::refusesWhatIsNoPattern()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QString, says);
    const auto parsed = NamePattern::parse(pattern);
    QVERIFY(!parsed);
    QVERIFY2(parsed.error().contains(says), qPrintable(parsed.error()));
}

// Each a could be the border of each placeholder: without an end to the tries this takes years.
void TestNamePattern::aNameMadeToBeSlowEnds()
{
    const NamePattern slow = made("{a}a{b}a{c}a{d}a{e}a{f}a{g:digits}b");
    QVERIFY(!slow.matches(QByteArray(4000, 'a') + "b"));
    QVERIFY(!slow.matches(QByteArray(1'000'000, 'a')));
}

LK_TEST(TestNamePattern);
#include "tst_namepattern.moc"
