// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

#include <tl/expected.hpp>

namespace lk {

/// A value, or the one error that says why there is none. Nothing in the backend throws.
template<typename T> using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> failure(ErrorCode code, QString detail = {})
{
    return tl::unexpected<Error>(Error{code, std::move(detail)});
}

} // namespace lk
