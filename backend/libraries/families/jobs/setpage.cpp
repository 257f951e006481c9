// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/setpage.h"

#include <QSet>

#include <algorithm>

namespace lk {

namespace {

constexpr const char* eachScan = "500"; ///< about how many members one SSCAN returns
constexpr size_t mostScans = 100;

bool isScan(const Reply& reply)
{
    return reply.isArray() && reply.items.size() == 2 && reply.items[0].isText() &&
           reply.items[1].isArray();
}

} // namespace

SetPage::SetPage(std::span<const Reply> replies)
{
    QSet<QByteArray> known;
    for (; m_count < replies.size() && isScan(replies[m_count]); ++m_count) {
        m_cursor = replies[m_count].items[0].text;
        for (const Reply& member : replies[m_count].items[1].items) {
            if (!known.contains(member.text)) {
                known.insert(member.text);
                m_ids.push_back(member.text);
            }
        }
    }
}

Command SetPage::firstRead(const QByteArray& key)
{
    return {"SSCAN", key, "0", "COUNT", eachScan};
}

std::vector<Command> SetPage::next(const QByteArray& key, const JobQuery& query) const
{
    if (m_count == 0)
        return {firstRead(key)};
    const bool enough = qint64(m_ids.size()) >= query.offset + query.limit;
    if (enough || m_cursor == "0" || m_count >= mostScans)
        return {};
    return {{"SSCAN", key, m_cursor, "COUNT", eachScan}};
}

std::vector<QByteArray> SetPage::page(const JobQuery& query) const
{
    const auto size = qint64(m_ids.size());
    const auto from = std::min(query.offset, size);
    const auto to = std::min(query.offset + query.limit, size);
    return {m_ids.begin() + from, m_ids.begin() + to};
}

} // namespace lk
