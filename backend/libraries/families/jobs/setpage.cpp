// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/setpage.h"

#include <QSet>

#include <algorithm>

namespace lk {

namespace {

constexpr const char* eachScan = "500"; // about how many members one SSCAN returns
constexpr int mostScans = 100;

bool isScan(const Reply& reply)
{
    return reply.isArray() && reply.items.size() == 2 && reply.items[0].isText() &&
           reply.items[1].isArray();
}

std::vector<Command> scanFrom(const QByteArray& key, const QByteArray& cursor)
{
    return {{"SSCAN", key, cursor, "COUNT", eachScan}};
}

} // namespace

Command firstSetPage(const QByteArray& key)
{
    return scanFrom(key, "0").front();
}

std::vector<QByteArray> scannedMembers(const Reply& reply)
{
    std::vector<QByteArray> members;
    QSet<QByteArray> known;
    for (const Reply& member : isScan(reply) ? reply.items[1].items : std::vector<Reply>()) {
        if (!known.contains(member.text)) {
            known.insert(member.text);
            members.push_back(member.text);
        }
    }
    return members;
}

bool isWholeSet(const Reply& reply)
{
    return isScan(reply) && reply.items[0].text == "0";
}

Read<std::vector<QByteArray>> readSetPage(QByteArray key, JobQuery query)
{
    std::vector<QByteArray> page;
    QSet<QByteArray> known;
    QByteArray cursor = "0";
    for (int scan = 0; scan < mostScans; ++scan) {
        const std::span<const Reply> replies = co_await askLast(scanFrom(key, cursor));
        for (QByteArray& member : scannedMembers(replies.front())) {
            if (known.contains(member))
                continue;
            known.insert(member);
            if (known.size() > query.offset && qint64(page.size()) < query.limit)
                page.push_back(std::move(member));
        }
        const bool isEnd = !isScan(replies.front()) || isWholeSet(replies.front());
        if (isEnd || known.size() >= query.offset + query.limit)
            break;
        cursor = replies.front().items[0].text;
    }
    co_return page;
}

} // namespace lk
