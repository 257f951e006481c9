// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/feed/feedprefixes.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>

using namespace lk;

namespace {

bool covers(const FeedPrefixes& feed, const QByteArray& key)
{
    return std::any_of(feed.prefixes.begin(), feed.prefixes.end(),
                       [&](const QByteArray& p) { return key.startsWith(p); });
}

} // namespace

class TestFeedPrefixes : public QObject
{
    Q_OBJECT

private slots:
    void cutsAtSeparators_data();
    void cutsAtSeparators();
    void aFewNamesAreNamedInFull();
    void longNamesAreCut();
    void aNewSiblingIsCovered();
    void manyNamesShareAPrefix();
    void theMostPopulousWin();
    void noneStartsWithAnother();
    void anEmptyNameDoesNotOpenTheFeedToEverything();
};

void TestFeedPrefixes::cutsAtSeparators_data()
{
    QTest::addColumn<QByteArray>("stem");
    QTest::newRow("colon") << QByteArray("app:");
    QTest::newRow("dot") << QByteArray("app.");
    QTest::newRow("slash") << QByteArray("app/");
    QTest::newRow("underscore") << QByteArray("app_");
    QTest::newRow("dash") << QByteArray("app-");
    QTest::newRow("bar") << QByteArray("app|");
    QTest::newRow("binary") << QByteArray("\xff\x00\n:", 4);
}

void TestFeedPrefixes::cutsAtSeparators()
{
    QFETCH(QByteArray, stem);
    QList<QByteArray> keys;
    for (int i = 0; i < 40; ++i)
        keys << stem + QByteArray::number(i) + 'x';
    const FeedPrefixes feed = feedPrefixes(keys, FeedReach::Named);
    QCOMPARE(feed.prefixes, std::vector<QByteArray>{stem});
    QCOMPARE(feed.covered, 40);
}

void TestFeedPrefixes::aFewNamesAreNamedInFull()
{
    const QList<QByteArray> keys{"lock:a", "jobs", "jobs:processing", "rate"};
    const FeedPrefixes feed = feedPrefixes(keys, FeedReach::Named);
    // "jobs" is the beginning of "jobs:processing", which needs no prefix of its own.
    QCOMPARE(feed.prefixes, (std::vector<QByteArray>{"jobs", "lock:a", "rate"}));
    QCOMPARE(feed.covered, 4);
    QVERIFY(feedPrefixes({}, FeedReach::Named).prefixes.empty());
}

// A key's name may be of megabytes, and is told to the server with each change of prefixes.
void TestFeedPrefixes::longNamesAreCut()
{
    const QByteArray name(1024 * 1024, 'n');
    for (const FeedReach reach : {FeedReach::Named, FeedReach::Siblings}) {
        for (const QByteArray& key : {name, name + ":x", "a:" + name}) {
            const FeedPrefixes found = feedPrefixes({key}, reach);
            QCOMPARE(found.prefixes.size(), size_t(1));
            QVERIFY(found.prefixes.front().size() <= 256);
            QVERIFY(key.startsWith(found.prefixes.front()));
        }
    }
}

void TestFeedPrefixes::aNewSiblingIsCovered()
{
    const FeedPrefixes feed =
        feedPrefixes({"app:lock:a", "app:lock:b", "jobs", "mail.q", "{x}"}, FeedReach::Siblings);
    QCOMPARE(feed.prefixes, (std::vector<QByteArray>{"app:lock:", "jobs", "mail.", "{x}"}));
    QCOMPARE(feed.covered, 5);
}

void TestFeedPrefixes::manyNamesShareAPrefix()
{
    QList<QByteArray> keys;
    for (int region = 0; region < 4; ++region) {
        for (int i = 0; i < 100; ++i)
            keys << "app:eu" + QByteArray::number(region) + ":lock:" + QByteArray::number(i) + ":v";
    }
    // Four segments are 400, three are four: as deep as possible.
    const FeedPrefixes feed = feedPrefixes(keys, FeedReach::Named);
    QCOMPARE(feed.prefixes.size(), 4U);
    QCOMPARE(feed.prefixes.front(), QByteArray("app:eu0:lock:"));
    QCOMPARE(feed.covered, 400);
    QCOMPARE(feedPrefixes(keys, FeedReach::Named, 3).prefixes, std::vector<QByteArray>{"app:"});
}

void TestFeedPrefixes::theMostPopulousWin()
{
    QList<QByteArray> keys;
    for (int stem = 0; stem < 50; ++stem) {
        for (int i = 0; i <= stem; ++i)
            keys << "s" + QByteArray::number(stem).rightJustified(2, '0') + ':' +
                        QByteArray::number(i);
    }
    const FeedPrefixes feed = feedPrefixes(keys, FeedReach::Named, 8);
    QCOMPARE(feed.prefixes.size(), 8U);
    QCOMPARE(feed.prefixes.front(), QByteArray("s42:"));
    QCOMPARE(feed.prefixes.back(), QByteArray("s49:"));
    QCOMPARE(feed.covered, 43 + 44 + 45 + 46 + 47 + 48 + 49 + 50);
}

void TestFeedPrefixes::noneStartsWithAnother()
{
    QRandomGenerator random(7);
    const QByteArray letters = "ab:._-";
    for (int round = 0; round < 300; ++round) {
        QList<QByteArray> keys;
        for (int i = 0; i < 60; ++i) {
            QByteArray key;
            for (int n = random.bounded(1, 9); n > 0; --n)
                key += letters[random.bounded(int(letters.size()))];
            keys << key;
        }
        const int most = random.bounded(1, 40);
        const FeedReach reach = round % 2 ? FeedReach::Named : FeedReach::Siblings;
        const FeedPrefixes feed = feedPrefixes(keys, reach, most);
        QVERIFY(feed.prefixes.size() <= size_t(most));
        QVERIFY(std::is_sorted(feed.prefixes.begin(), feed.prefixes.end()));
        for (const QByteArray& p : feed.prefixes) {
            const auto starting =
                std::count_if(feed.prefixes.begin(), feed.prefixes.end(),
                              [&](const QByteArray& q) { return q.startsWith(p); });
            QCOMPARE(starting, 1);
        }
        const auto covered = std::count_if(
            keys.begin(), keys.end(), [&](const QByteArray& key) { return covers(feed, key); });
        QVERIFY(feed.covered <= covered);
    }
}

void TestFeedPrefixes::anEmptyNameDoesNotOpenTheFeedToEverything()
{
    const FeedPrefixes feed = feedPrefixes({"", "lock:a"}, FeedReach::Named);
    QCOMPARE(feed.prefixes, std::vector<QByteArray>{"lock:a"});
    QCOMPARE(feed.covered, 1);
    QVERIFY(feedPrefixes({""}, FeedReach::Siblings).prefixes.empty());
}

LK_TEST(TestFeedPrefixes);
#include "tst_feedprefixes.moc"
