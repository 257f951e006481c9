// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/askclients.h"

#include "backend/redis/topology/asknodes.h"

namespace lk {

Task<Result<std::vector<ClientEntry>>> queryClients(Link& link, QObject* context)
{
    const Command list{"CLIENT", "LIST", "TYPE", "normal"};
    const NodeReplies replies = co_await queryNodes(link, list, context);
    std::vector<ClientEntry> clients;
    std::optional<Error> refused;
    size_t answered = 0;
    for (const Reply& reply : replies) {
        if (reply.isError()) {
            refused = errorFromReply(reply.text);
            continue;
        }
        ++answered;
        std::vector<ClientEntry> some = clientsFromReply(reply);
        std::move(some.begin(), some.end(), std::back_inserter(clients));
    }
    if (answered == 0 && refused)
        co_return tl::unexpected<Error>(*refused);
    co_return clients;
}

} // namespace lk
