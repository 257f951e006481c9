// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/glob.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

using namespace lk;

namespace {

// Slow and plain: tries every length for every star. Knows no brackets.
bool naive(QByteArrayView pattern, QByteArrayView name)
{
    if (pattern.isEmpty())
        return name.isEmpty();
    if (pattern[0] == '*') {
        for (qsizetype skip = 0; skip <= name.size(); ++skip) {
            if (naive(pattern.sliced(1), name.sliced(skip)))
                return true;
        }
        return false;
    }
    if (name.isEmpty())
        return false;
    if (pattern[0] == '?')
        return naive(pattern.sliced(1), name.sliced(1));
    if (pattern[0] == '\\' && pattern.size() > 1)
        pattern = pattern.sliced(1);
    return pattern[0] == name[0] && naive(pattern.sliced(1), name.sliced(1));
}

QByteArray randomText(QRandomGenerator& random, const QByteArray& alphabet, int longest)
{
    QByteArray text;
    for (int length = random.bounded(longest + 1); length > 0; --length)
        text += alphabet[random.bounded(int(alphabet.size()))];
    return text;
}

} // namespace

class TestGlob : public QObject
{
    Q_OBJECT

private slots:
    void matches_data();
    void matches();
    void agreesWithANaiveMatcher();
    void worstCasesStayFast_data();
    void worstCasesStayFast();
    void literal_data();
    void literal();
};

void TestGlob::matches_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("expected");
    int n = 0;
    const auto row = [&n](const QByteArray& pattern, const QByteArray& name, bool expected) {
        QTest::addRow("%d: %s", ++n, pattern.constData()) << pattern << name << expected;
    };
    row("", "", true);
    row("", "a", false);
    row("*", "", true);
    row("*", "anything at all", true);
    row("lock:*", "lock:", true);
    row("lock:*", "lock:a:b", true);
    row("lock:*", "Lock:a", false);
    row("lock:*", "a lock:b", false);
    row("*:lock", "a:lock:lock", true);
    row("a?c", "abc", true);
    row("a?c", "ac", false);
    row("?", "", false);
    row("a*b*c", "aXbYc", true);
    row("a*b*c", "aXbY", false);
    row("a**c", "abc", true);
    row("[abc]", "b", true);
    row("[abc]", "d", false);
    row("[^abc]", "d", true);
    row("[^abc]", "a", false);
    row("[^abc]", "", false);
    row("[a-c]x", "bx", true);
    row("[c-a]x", "bx", true);
    row("[a-c]x", "dx", false);
    row("[a\\-c]", "b", false);
    row("[a\\-c]", "-", true);
    row("[\\]]", "]", true);
    row("[\\^a]", "^", true);
    row("\\*", "*", true);
    row("\\*", "a", false);
    row("a\\?", "a?", true);
    row("\\\\", "\\", true);
    row("user:{*}:x", "user:{1}:x", true);
    row(QByteArray("a\0*", 3), QByteArray("a\0b", 3), true);
    row(QByteArray("a\0*", 3), "a", false);
    row("[\x80-\xff]", "\xc3", true);
    row("?", "\xff", true);
}

void TestGlob::matches()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, name);
    QFETCH(bool, expected);
    QCOMPARE(globMatches(pattern, name), expected);
}

void TestGlob::agreesWithANaiveMatcher()
{
    QRandomGenerator random(11);
    int matched = 0;
    for (int i = 0; i < 10'000; ++i) {
        const QByteArray pattern = randomText(random, "aab**?\\", 8);
        const QByteArray name = randomText(random, "aab*", 8);
        const bool expected = naive(pattern, name);
        matched += expected;
        QVERIFY2(globMatches(pattern, name) == expected, (pattern + " on " + name).constData());
    }
    QVERIFY(matched > 500 && matched < 9'500); // both outcomes were tried
}

void TestGlob::worstCasesStayFast_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("name");
    const QByteArray many(20'000, 'a');
    QTest::newRow("a*a*a*b") << QByteArray("a*").repeated(50) + 'b' << many;
    QTest::newRow("*a*a*b") << QByteArray("*a").repeated(50) + "*b" << many;
    QTest::newRow("?*?*b") << QByteArray("?*").repeated(50) + 'b' << many;
    QTest::newRow("[a]*[a]*b") << QByteArray("[a]*").repeated(50) + 'b' << many;
    QTest::newRow("only stars") << QByteArray(20'000, '*') + 'b' << many;
}

void TestGlob::worstCasesStayFast()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, name);
    QElapsedTimer elapsed;
    elapsed.start();
    QVERIFY(!globMatches(pattern, name));
    // Milliseconds when it is linear, years when it backtracks.
    QVERIFY2(elapsed.elapsed() < 1000, QByteArray::number(elapsed.elapsed()).constData());
}

void TestGlob::literal_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<bool>("expected");
    QTest::newRow("name") << QByteArray("lock:a-b{c}]^") << true;
    QTest::newRow("empty") << QByteArray() << true;
    QTest::newRow("star") << QByteArray("a*") << false;
    QTest::newRow("question mark") << QByteArray("a?") << false;
    QTest::newRow("bracket") << QByteArray("a[b]") << false;
    QTest::newRow("quoted") << QByteArray("a\\*") << false;
}

void TestGlob::literal()
{
    QFETCH(QByteArray, pattern);
    QFETCH(bool, expected);
    QCOMPARE(isLiteral(pattern), expected);
    QCOMPARE(literalStart(pattern) == pattern, expected);
}

LK_TEST(TestGlob);
#include "tst_glob.moc"
