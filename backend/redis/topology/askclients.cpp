// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/askclients.h"

#include "backend/redis/topology/asknodes.h"

namespace lk {

void queryClients(Link& link, QObject* context,
                  std::function<void(const Result<std::vector<ClientEntry>>&)> handler)
{
    queryNodes(link, {"CLIENT", "LIST", "TYPE", "normal"}, context,
               [handler = std::move(handler)](const NodeReplies& replies) {
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
                       handler(tl::unexpected<Error>(*refused));
                   else
                       handler(clients);
               });
}

} // namespace lk
