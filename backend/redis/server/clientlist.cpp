// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/server/clientlist.h"

#include <algorithm>
#include <array>

namespace lk {

namespace {

constexpr qint64 clientListMostSeconds = 100'000'000'000; // bounds any reported value
constexpr std::array<const char*, 5> listWaits{"blpop", "brpop", "brpoplpush", "blmove", "blmpop"};

void readField(ClientEntry& client, const QByteArray& field, const QByteArray& value)
{
    if (field == "id")
        client.id = value.toLongLong();
    else if (field == "addr")
        client.address = value;
    else if (field == "name")
        client.name = value;
    else if (field == "flags")
        client.flags = value;
    else if (field == "cmd")
        client.command = value;
    else if (field == "db")
        client.database = value.toInt();
    else if (field == "idle")
        client.idleSeconds = std::clamp<qint64>(value.toLongLong(), 0, clientListMostSeconds);
}

} // namespace

// Names contain neither spaces nor line feeds, as CLIENT SETNAME refuses both.
std::vector<ClientEntry> clientsFromReply(const Reply& list)
{
    std::vector<ClientEntry> clients;
    for (const QByteArray& line : list.text.split('\n')) {
        ClientEntry client;
        for (const QByteArray& part : line.trimmed().split(' ')) {
            const qsizetype equals = part.indexOf('=');
            if (equals > 0)
                readField(client, part.left(equals), part.mid(equals + 1));
        }
        if (client.id > 0)
            clients.push_back(std::move(client));
    }
    return clients;
}

bool waitsForList(const ClientEntry& client)
{
    return client.flags.contains('b') &&
           std::any_of(listWaits.begin(), listWaits.end(),
                       [&](const char* command) { return client.command == command; });
}

} // namespace lk
