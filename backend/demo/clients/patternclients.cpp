// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/clients/clients.h"

#include <QDateTime>

#include <array>

namespace lk {

namespace {

constexpr std::array sites{"www.example.org",  "shop.example.org", "api.example.org",
                           "blog.example.org", "mail.example.org", "docs.example.org",
                           "cdn.example.org"};
constexpr std::array patternClientsPages{"/",     "/articles/17", "/articles/42",
                                         "/cart", "/search",      "/account"};
constexpr std::array banners{"spring", "shoes", "travel", "books", "coffee"};
constexpr std::array guests{"parzival", "art3mis", "aech", "daito", "shoto"};

constexpr auto rotation = "monitor:sites:rotation";
constexpr auto events = "events:pending";
constexpr auto helper = "events:pending:helper";
constexpr auto articles = "cache:sorted:articles";
constexpr auto articlesLock = "cache:sorted:articles:lock";
constexpr auto articlesSource = "articles:ids";
constexpr auto weights = "banner:weights";
constexpr auto seats = "seats:array";

constexpr int visitors = 12;
constexpr int sessionMs = 60'000;
constexpr int pagesKept = 25;
constexpr int seatBytes = 16; // as in demo.toml
constexpr int seatCount = 40;
constexpr int members = 512; // ids from 0 up
constexpr int daysShown = 7;
constexpr int hoursShown = 6;
constexpr qint64 hourMs = 3'600'000;
constexpr qint64 dayMs = 24 * hourMs;
constexpr qint64 keepDaysMs = (daysShown + 1) * dayMs;
constexpr qint64 keepHoursMs = (hoursShown + 1) * hourMs;

QByteArray periodKey(const QDateTime& time, const char* format)
{
    return "users:active:" + time.toString(QLatin1String(format)).toLatin1();
}

QByteArray dayKey(const QDateTime& time)
{
    return periodKey(time, "yyyy-MM-dd");
}

QByteArray hourKey(const QDateTime& time)
{
    return periodKey(time, "yyyy-MM-dd'T'HH");
}

// A site that uses Redis for the smaller patterns: a rotation, waiting events, visitors' sessions,
// counters, active users, a cached sort, weighted draws, a table of seats.
class PatternClients final : public DemoClient
{
public:
    PatternClients(ServerUrl url, quint32 seed)
        : DemoClient(std::move(url), QByteArrayLiteral("demo-patterns"), seed)
    {}

private:
    void begin() override
    {
        beginRotation();
        beginEvents();
        beginSessions();
        beginCounters();
        beginActivity();
        if (!isClustered()) // SORT would need keys in other slots
            beginSortedArticles();
        beginBanners();
        beginSeats();
    }

    void beginRotation()
    {
        for (const char* site : sites)
            run("circular-list-add", {rotation}, {site});
        every(700, 1500, [this] { run("circular-list-next", {rotation}, {}); });
    }

    void beginEvents()
    {
        every(300, 1200, [this] {
            run("event-queue-add", {events, helper}, {"order:" + text(between(1, 400)) + ":paid"});
        });
        // A consumer that is sometimes slower than the producers. A real one would block on the
        // helper list. This one polls, because all clients share the connection.
        every(2500, 6000, [this] {
            send({{"RPOP", helper}});
            run("event-queue-take", {events, helper}, {text(between(4, 12))});
        });
    }

    void beginSessions()
    {
        for (int user = 1; user <= visitors; user += 2)
            visit(user);
        // A visitor comes every twelve seconds on average; some pause for more than a minute.
        every(500, 1500, [this] { visit(between(1, oneIn(3) ? visitors : visitors / 2)); });
    }

    void visit(int user)
    {
        run("navigation-session-visit", {"pagewviews.user:" + text(user)},
            {QByteArrayLiteral("http://www.example.org") + oneOf(patternClientsPages),
             text(sessionMs), text(pagesKept)});
    }

    void beginCounters()
    {
        every(300, 900, [this] { run("counter-add", {"orders:counter"}, {"1"}); });
        every(1500, 5000, [this] { run("counter-add", {"signups:counter"}, {"1"}); });
        // Reset each minute, as a chart service would.
        every(60'000, 60'000, [this] {
            run("counter-reset", {"orders:counter"}, {});
            run("counter-reset", {"signups:counter"}, {});
        });
    }

    void beginActivity()
    {
        // The bitmaps of earlier days and hours, each with a fourth to a half of the members.
        const QDateTime now = QDateTime::currentDateTimeUtc();
        std::vector<Command> past;
        for (int i = 1; i < daysShown; ++i)
            past.push_back({"SET", dayKey(now.addDays(-i)),
                            bytes(between(members / 16, members / 8)), "PX",
                            text(keepDaysMs - i * dayMs)});
        for (int i = 1; i < hoursShown; ++i)
            past.push_back({"SET", hourKey(now.addSecs(-i * 3600)), bytes(between(4, 24)), "PX",
                            text(keepHoursMs - i * hourMs)});
        send(std::move(past));
        const auto mark = [this] {
            const QDateTime time = QDateTime::currentDateTimeUtc();
            const QByteArray id = text(between(0, members - 1));
            run("bitmap-mark", {dayKey(time)}, {id, text(members - 1), text(keepDaysMs)});
            run("bitmap-mark", {hourKey(time)}, {id, text(members - 1), text(keepHoursMs)});
        };
        for (int i = 0; i < 40; ++i)
            mark();
        every(400, 1600, mark);
    }

    void beginSortedArticles()
    {
        std::vector<Command> ids;
        for (int i = 0; i < 60; ++i)
            ids.push_back({"SADD", articlesSource, text(between(1, 9999))});
        send(std::move(ids));
        askForArticles();
        every(600, 1800, [this] { askForArticles(); });
    }

    // The sort takes a while, during which the other clients wait.
    void askForArticles()
    {
        const QByteArray token = hex(32);
        run("sort-cache-claim", {articles, articlesLock}, {token, "5000"},
            [=, this](const Reply& answer) {
                if (answer.integer != 1)
                    return;
                after(between(600, 1800), [=, this] {
                    run("sort-cache-store", {articlesSource, articles, articlesLock},
                        {token, "9000", "25", "desc"});
                });
            });
    }

    void beginBanners()
    {
        fillBanners();
        every(900, 2200, [this] {
            run("weighted-set-draw", {weights}, {QByteArray::number(between(0, 999'999) / 1e6)});
        });
        every(20'000, 40'000, [this] { fillBanners(); });
    }

    void fillBanners()
    {
        // Shares of 1, because the pattern draws from 0 to 1.
        std::vector<int> parts;
        int sum = 0;
        for (size_t i = 0; i < banners.size(); ++i)
            sum += parts.emplace_back(between(1, 20));
        std::vector<QByteArray> args;
        for (size_t i = 0; i < banners.size(); ++i) {
            args.emplace_back(banners[i]);
            args.push_back(QByteArray::number(double(parts[i]) / sum, 'g', 17));
        }
        run("weighted-set-fill", {weights}, std::move(args));
    }

    void beginSeats()
    {
        for (int i = 0; i < seatCount / 2; ++i)
            takeSeat();
        every(1200, 3500, [this] { takeSeat(); });
    }

    void takeSeat()
    {
        // A seat that is given up is an empty record.
        const QByteArray guest = oneIn(4) ? QByteArray() : QByteArray(oneOf(guests));
        run("array-write", {seats},
            {text(seatBytes), text(between(0, seatCount - 1)), guest, text(seatCount)});
    }
};

} // namespace

std::unique_ptr<DemoClient> makePatternClients(const ServerUrl& url, quint32 seed)
{
    return std::make_unique<PatternClients>(url, seed);
}

} // namespace lk
