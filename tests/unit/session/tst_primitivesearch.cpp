// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/search/primitivesearch.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QSignalSpy>
#include <QTest>

using namespace lk;
using namespace lk::test;
using By = SearchHit::By;

namespace {

State limiter(const QByteArray& name, qint64 used, qint64 limit, std::optional<qint64> freeMs = {})
{
    State state = madeState(madePrimitive(Kind::Limiter, "fixed-window", name), 1000);
    auto& body = state.body.get<LimiterState>();
    body.occupancy = used;
    body.limit = limit;
    body.remaining = limit - used;
    body.nextFreeMs = freeMs;
    return state;
}

} // namespace

// One search over all that is known, as the worker thread does it.
class TestPrimitiveSearch : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qRegisterMetaType<SearchResultsPtr>(); }

    void everythingIsFoundByWhatItHas()
    {
        State lock = lockState("worker-7", 5000, 1000, madePrimitive(Kind::Lock, "set-nx-px", "l"));
        State shared = limiter("api", 1, 10);
        shared.body.get<LimiterState>().consumers = {{"client-9", "api:client-9", 3, 3, 40}};
        State queue = queueState({}, 1000);
        queue.body.get<QueueState>().items.push_back(queueJobOf("job-17 body", "q:processing"));
        HandleTable<KeptState> known;
        PrimitiveSearch search(known);
        add(known, {lock, shared, queue});
        QCOMPARE(only(search, "worker-7").by, By::Owner);
        QCOMPARE(only(search, "client-9").by, By::Client);
        QCOMPARE(only(search, "job-17").by, By::Job);
        QCOMPARE(only(search, "api").by, By::Name);
        // A client has its own numbers.
        QVERIFY(only(search, "client-9").allowance->refuses());
        QCOMPARE(only(search, "client-9").allowance->freeInMs, 40);
        QVERIFY(!only(search, "api").allowance->refuses());
    }

    // "42" is a client, not a part of another's number.
    void aClientIsFoundAsAWhole()
    {
        HandleTable<KeptState> known;
        PrimitiveSearch search(known);
        add(known, {limiter("minute:42", 5, 5, 12'000), limiter("hour:42", 9, 90),
                    limiter("minute:420", 5, 5), limiter("minute:142", 5, 5)});
        const SearchResultsPtr all = find(search, "42");
        QCOMPARE(all->hits.size(), 4U);
        QCOMPARE(all->limiters, 2);
        QCOMPARE(all->refusing, 1);
        QCOMPARE(all->hits[0].state->primitive->id.name, QByteArray("minute:42"));
        QVERIFY(all->hits[0].whole && all->hits[1].whole && !all->hits[2].whole);
        QCOMPARE(all->hits[0].allowance->freeInMs, 12'000);
        // A single character is no part of anything.
        QCOMPARE(find(search, "4")->hits.size(), 0U);
        QCOMPARE(find(search, "  ")->hits.size(), 0U);
        QCOMPARE(find(search, "minute:*")->hits.size(), 3U);
    }

    // A verdict is told of whom a limiter counts: not of what many names have in common, nor of a
    // part of an address.
    void aVerdictIsOfAnIdentityAlone()
    {
        HandleTable<KeptState> known;
        PrimitiveSearch search(known);
        add(known, {limiter("gate:user:1", 1, 1, 19'000), limiter("gate:user:2", 1, 1, 19'000),
                    limiter("rl:10.4.69.7", 5, 5), limiter("rl:42:minute", 5, 5),
                    limiter("{rl:43}:tokens", 1, 5)});
        const auto counted = [&](const char* text) {
            const SearchResultsPtr all = find(search, text);
            return std::pair(all->limiters, all->refusing);
        };
        QCOMPARE(counted("user"), std::pair(0LL, 0LL));
        QCOMPARE(counted("gate"), std::pair(0LL, 0LL));
        QCOMPARE(counted("69"), std::pair(0LL, 0LL));
        QCOMPARE(counted("user:1"), std::pair(1LL, 1LL));
        QCOMPARE(counted("10.4.69.7"), std::pair(1LL, 1LL));
        QCOMPARE(counted("42"), std::pair(1LL, 1LL));
        QCOMPARE(counted("43"), std::pair(1LL, 0LL));
    }

    // With an unknown limit no client counts as allowed.
    void anUnknownLimitIsNoVerdict()
    {
        State unknown = limiter("rl:mallory", 7, 5);
        auto& body = unknown.body.get<LimiterState>();
        body.limit = {};
        body.remaining = {};
        State unused = unknown;
        unused.primitive = madePrimitive(Kind::Limiter, "fixed-window", "rl:eve");
        unused.body.get<LimiterState>().occupancy = 0;
        HandleTable<KeptState> known;
        PrimitiveSearch search(known);
        add(known, {unknown, unused, limiter("hour:mallory", 1, 90)});
        const SearchResultsPtr all = find(search, "mallory");
        QCOMPARE(all->limiters, 2);
        QCOMPARE(all->refusing, 0);
        QCOMPARE(all->unknown, 1);
        QCOMPARE(all->limitless, 1);
        QCOMPARE(find(search, "eve")->unknown, 0);
    }

    void aTokenIsNotFoundLetterByLetter()
    {
        const QByteArray code = "c17bd6f2a4e8906b5d3c";
        HandleTable<KeptState> known;
        PrimitiveSearch search(known);
        State token = tokenState(TokenState::Phase::Live, 9000, 1000);
        token.primitive = madePrimitive(Kind::Token, "string-token", "code:" + code);
        add(known, {token});
        QCOMPARE(find(search, "f2a4e8906b")->hits.size(), 0U);
        const SearchHit hit = only(search, code);
        QVERIFY(hit.whole);
        QVERIFY(!hit.found.contains(code));
    }

    void whatIsManyIsBoundedAndCounted()
    {
        std::vector<State> many;
        for (int i = 0; i < 250; ++i)
            many.push_back(limiter("user:" + QByteArray::number(i), i == 249 ? 5 : 1, 5));
        HandleTable<KeptState> known;
        PrimitiveSearch search(known);
        add(known, many);
        const SearchResultsPtr all = find(search, "user");
        QCOMPARE(all->hits.size(), SearchResults::mostOfAKind);
        QCOMPARE(all->totals[size_t(Kind::Limiter)], 250);
        QCOMPARE(all->hits.front().state->primitive->id.name, QByteArray("user:249"));
    }

    void whatIsGoneIsNotFound()
    {
        HandleTable<KeptState> known;
        PrimitiveSearch search(known);
        add(known, {limiter("api", 1, 2)});
        known.erase(Handle(0));
        QCOMPARE(find(search, "api")->hits.size(), 0U);
    }

private:
    static void add(HandleTable<KeptState>& known, const std::vector<State>& states)
    {
        for (const State& state : states)
            known[Handle(known.places())] = KeptState(std::make_shared<const State>(state));
    }
    static SearchResultsPtr find(PrimitiveSearch& search, const QByteArray& text)
    {
        QSignalSpy spy(&search, &PrimitiveSearch::found);
        search.search(QString::fromLatin1(text));
        return spy.takeFirst().front().value<SearchResultsPtr>();
    }
    static SearchHit only(PrimitiveSearch& search, const QByteArray& text)
    {
        const SearchResultsPtr all = find(search, text);
        return all->hits.size() == 1 ? all->hits.front() : SearchHit();
    }
};

LK_TEST(TestPrimitiveSearch);
#include "tst_primitivesearch.moc"
