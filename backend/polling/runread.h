// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/primitive.h"
#include "backend/core/result.h"
#include "backend/libraries/api/read.h"
#include "backend/redis/link.h"

#include <functional>
#include <memory>

namespace lk {

/// Sends what the read asks, step by step, and calls done once with its result, in the connection's
/// thread, unless context is destroyed. primitive: the one that is read, kept until then. Errors:
/// those of the connection, and the first error reply; the size of a key may be denied.
template<typename T>
void runRead(Link& connection, QObject* context, const PrimitivePtr& primitive,
             std::shared_ptr<Read<T>> read, std::function<void(Result<T>)> done)
{
    if (read->isDone())
        return done(read->take());
    connection.send(read->commands(), context,
                    [=, &connection, done = std::move(done)](const BatchResult& result) mutable {
                        if (!result)
                            return done(tl::unexpected(result.error()));
                        for (size_t i = 0; i < result->size(); ++i) {
                            const Reply& reply = (*result)[i];
                            // Not every user may ask for a key's memory usage.
                            if (reply.isError() && read->commands()[i].args().front() != "MEMORY")
                                return done(tl::unexpected(errorFromReply(reply.text)));
                        }
                        read->next(*result);
                        runRead<T>(connection, context, primitive, read, std::move(done));
                    });
}

template<typename T>
void runRead(Link& connection, QObject* context, const PrimitivePtr& primitive, Read<T> read,
             std::function<void(Result<T>)> done)
{
    runRead<T>(connection, context, primitive, std::make_shared<Read<T>>(std::move(read)),
               std::move(done));
}

} // namespace lk
