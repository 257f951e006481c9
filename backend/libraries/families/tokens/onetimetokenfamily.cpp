// SPDX-License-Identifier: GPL-3.0-or-later
// A code that is valid once: a string that its redeemer deletes, or a hash that counts its uses.
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/files/filelayout.h"
#include "backend/libraries/families/tokens/tokenactions.h"
#include "backend/libraries/families/tokens/tokenreading.h"

namespace lk {

namespace {

constexpr char usesByDefault[] = "used_by"; // the field in which token-consume counts

class OneTimeTokenFile final : public FileLayout
{
public:
    explicit OneTimeTokenFile(LayoutFilePtr file)
        : FileLayout(std::move(file))
        , m_usesField(this->file().setting<QByteArray>("uses_field", usesByDefault))
    {}

    ActionList actions() const override
    {
        if (mainType() == KeyType::Hash && m_usesField != usesByDefault)
            return {&actions::validateToken(), &actions::extendToken(), &actions::revokeToken()};
        return {&actions::validateToken(), &actions::extendToken(), &actions::consumeToken(),
                &actions::revokeToken()};
    }
    std::vector<QByteArray> hashFields() const override
    {
        std::vector<QByteArray> fields = FileLayout::hashFields();
        if (mainType() == KeyType::Hash)
            fields.push_back(m_usesField);
        return fields;
    }

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        const QByteArray key = primitive.key("token");
        return mainType() == KeyType::Hash ? hashTokenReads(key, {m_usesField})
                                           : stringTokenReads(key, context);
    }
    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        reading.state = mainType() == KeyType::Hash
                            ? hashTokenState(replies, {m_usesField}, context)
                            : stringTokenState(replies, context);
        return reading;
    }

private:
    QByteArray m_usesField;
};

} // namespace

namespace families {

Family oneTimeTokenFamily()
{
    return {"one-time-token",
            Kind::Token,
            {{"token", {KeyType::String, KeyType::Hash}, true}},
            {{"uses_field", FamilySetting::Shape::Text}},
            {},
            [](LayoutFilePtr file) -> std::unique_ptr<const Layout> {
                return std::make_unique<OneTimeTokenFile>(std::move(file));
            }};
}

} // namespace families

} // namespace lk
