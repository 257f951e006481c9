// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/undetected.h"

namespace lk {

PrimitivePtr undetected(const Layout& layout, const QByteArray& name, bool assumed)
{
    Declaration declaration;
    declaration.kind = layout.kind();
    declaration.pattern = name;
    declaration.layout = layout.id();
    const Claim claim = layout.declared(declaration, name);
    auto primitive = std::make_shared<Primitive>();
    primitive->kind = layout.kind();
    primitive->id = claim.id;
    primitive->keys = claim.keys;
    if (assumed && !primitive->keys.empty())
        primitive->keys.front().assumed = true;
    return primitive;
}

const Layout* ownerLockLayout(KeyType type)
{
    return type == KeyType::Hash     ? findLayout("redisson-lock")
           : type == KeyType::String ? findLayout("set-nx-px")
                                     : nullptr;
}

} // namespace lk
