// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/sentinelreplies.h"

#include "backend/core/names/keyname.h"
#include "backend/text/errortext.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>

namespace lk {

namespace {

struct SentinelWatchText
{
    Q_DECLARE_TR_FUNCTIONS(lk::SentinelWatch)
};

constexpr qsizetype longestHost = 255;

enum Asked { MasterAddress, Master, Sentinels, Id, Count };

using Fields = QHash<QByteArray, QByteArray>;

// "ip", "10.0.0.5", "port", "6379", ...
Fields fieldsOf(const Reply& reply)
{
    Fields fields;
    for (size_t i = 0; i + 1 < reply.items.size(); i += 2)
        fields.insert(reply.items[i].text, reply.items[i + 1].text);
    return fields;
}

std::optional<ServerUrl::Address> addressOf(const QByteArray& host, const QByteArray& port)
{
    bool ok = false;
    const quint16 number = port.toUShort(&ok);
    if (!ok || number == 0 || host.isEmpty() || host.size() > longestHost)
        return std::nullopt;
    return ServerUrl::Address{displayName(host), number};
}

Error asText(const Reply& reply)
{
    if (reply.text.startsWith("ERR unknown command"))
        return {ErrorCode::NotFound, SentinelWatchText::tr("not a Sentinel")};
    return errorFromReply(reply.text);
}

} // namespace

std::vector<Command> SentinelAnswer::commands(const QString& masterName)
{
    const QByteArray name = masterName.toUtf8();
    return {{"SENTINEL", "GET-MASTER-ADDR-BY-NAME", name},
            {"SENTINEL", "MASTER", name},
            {"SENTINEL", "SENTINELS", name},
            {"SENTINEL", "MYID"}};
}

const std::vector<QByteArray>& SentinelAnswer::channels()
{
    static const std::vector<QByteArray> all{"+promoted-slave", "+switch-master"};
    return all;
}

Result<SentinelAnswer> SentinelAnswer::fromReplies(std::span<const Reply> replies)
{
    if (replies.size() != Count)
        return failure(ErrorCode::Protocol, SentinelWatchText::tr("no answer"));
    // SENTINEL MASTER returns the old master until the last replica knows the new one.
    const Reply& address = replies[MasterAddress];
    if (address.isError())
        return tl::unexpected<Error>(asText(address));
    if (address.items.size() < 2)
        return failure(ErrorCode::NotFound, SentinelWatchText::tr("no master of that name"));
    const auto master = addressOf(address.items[0].text, address.items[1].text);
    if (!master)
        return failure(ErrorCode::Protocol, SentinelWatchText::tr("not an address"));

    SentinelAnswer answer;
    answer.master = *master;
    bool ok = false;
    const qint64 epoch = fieldsOf(replies[Master]).value("config-epoch").toLongLong(&ok);
    if (ok)
        answer.configEpoch = epoch;
    if (replies[Id].isText())
        answer.id = replies[Id].text;
    for (const Reply& item : replies[Sentinels].items) {
        const Fields fields = fieldsOf(item);
        const auto other = addressOf(fields.value("ip"), fields.value("port"));
        // Sentinels never forget another one that is gone.
        if (other && !fields.value("flags").contains("s_down"))
            answer.others.push_back({fields.value("runid"), *other});
    }
    return answer;
}

Error ofSentinel(const Error& error, const QString& address)
{
    if (error.code == ErrorCode::NoAuth)
        return {ErrorCode::SentinelNoAuth, address};
    if (error.code == ErrorCode::WrongPass)
        return {ErrorCode::SentinelWrongPass, address};
    return error;
}

std::optional<ServerUrl::Address> masterOf(std::span<const SentinelAnswer> answers,
                                           const std::optional<ServerUrl::Address>& current)
{
    std::optional<ServerUrl::Address> best;
    std::pair<qint64, qsizetype> bestRank{-2, 0};
    for (const SentinelAnswer& each : answers) {
        const auto votes = std::count_if(answers.begin(), answers.end(), [&](const auto& other) {
            return other.configEpoch == each.configEpoch && other.master == each.master;
        });
        const std::pair<qint64, qsizetype> rank{each.configEpoch, votes};
        if (rank > bestRank || (rank == bestRank && each.master == current)) {
            best = each.master;
            bestRank = rank;
        }
    }
    return best;
}

} // namespace lk
